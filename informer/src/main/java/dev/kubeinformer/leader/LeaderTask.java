package dev.kubeinformer.leader;

/**
 * Task that only the leader runs.
 *
 * @see Leadership#runWhileLeader(String, LeaderTask)
 */
@FunctionalInterface
public interface LeaderTask {

	/**
	 * Runs the task. It should end soon after an interrupt.
	 * @param term the term in which the task runs
	 * @throws Exception if the task fails; the failure is logged
	 */
	void run(Leadership.Term term) throws Exception;

}
