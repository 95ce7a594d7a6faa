package dev.kubeinformer.benchmark.leader;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import io.kubernetes.client.openapi.ApiException;

/**
 * Replicas and their namespace, for consecutive trials.
 *
 * @param times the times of the election
 * @param records the namespace
 * @param replicas the replicas
 */
record Fleet(LeaderTimes times, Records records, Replicas replicas) implements Closeable {

	private static final int HEAP = 256;

	private static final int LARGE_HEAP = 1024;

	/**
	 * Prepares replicas that run repeatedly for one object.
	 * @param times the times of the election
	 * @param kubeconfig the cluster
	 * @param work the duration of a run before it writes
	 * @param pause the pause of the leader between two runs
	 * @param logs the directory for the output of the processes
	 * @return the replicas, which are not started
	 * @throws IOException if the cluster cannot be used
	 * @throws ApiException if the API server rejects
	 */
	static Fleet of(LeaderTimes times, Path kubeconfig, Duration work, Duration pause, Path logs)
			throws IOException, ApiException {
		return of(times, kubeconfig, 1, HEAP, Map.of("work", work.toString(), "pause", pause.toString()), logs);
	}

	/**
	 * Prepares replicas with a large heap whose runs all block.
	 * @param times the times of the election
	 * @param kubeconfig the cluster
	 * @param runs the number of runs
	 * @param logs the directory for the output of the processes
	 * @return the replicas, which are not started
	 * @throws IOException if the cluster cannot be used
	 * @throws ApiException if the API server rejects
	 */
	static Fleet blocked(LeaderTimes times, Path kubeconfig, int runs, Path logs) throws IOException, ApiException {
		return of(times, kubeconfig, runs, LARGE_HEAP, Map.of("blocking", "true", "ballast", "400"), logs);
	}

	private static Fleet of(LeaderTimes times, Path kubeconfig, int primaries, int heap, Map<String, String> behaviour,
			Path logs) throws IOException, ApiException {
		Records records = new Records(kubeconfig, primaries);
		return new Fleet(times, records, new Replicas(kubeconfig, records.namespace(), times, heap, behaviour, logs));
	}

	@Override
	public void close() throws IOException {
		this.replicas.close();
		this.records.close();
	}

}
