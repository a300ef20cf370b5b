/** Session id of the calls that `guard doctor` makes; `guard log` leaves them out. */
export const doctorSession = "guard-doctor";
