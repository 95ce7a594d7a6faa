package dev.kubeinformer.leader;

/**
 * Task of the leader.
 *
 * @see Leadership#runWhileLeader(String, LeaderTask)
 */
@FunctionalInterface
public interface LeaderTask {

	/**
	 * Does the task. It should end soon when its thread is interrupted.
	 * @param term the term in which it runs
	 * @throws Exception if it fails, which is logged
	 */
	void run(Leadership.Term term) throws Exception;

}
