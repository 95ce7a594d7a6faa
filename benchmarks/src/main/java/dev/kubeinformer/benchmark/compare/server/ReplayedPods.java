package dev.kubeinformer.benchmark.compare.server;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Replayed pods in each supported encoding, with the version of the list. Thread-safe.
 */
final class ReplayedPods {

	/** Step between two changed pods; it defeats the CPU caches. */
	private static final int STRIDE = 7919;

	private final Map<Encoding, List<EncodedPod>> pods = new EnumMap<>(Encoding.class);

	private final int size;

	private long version = Long.parseLong(EncodedPod.VERSION);

	private long oldest;

	private int next;

	private long last;

	/**
	 * Creates the pods.
	 * @param prepared the same pods in each encoding
	 */
	ReplayedPods(Map<Encoding, List<byte[]>> prepared) {
		this.size = prepared.getOrDefault(Encoding.JSON, List.of()).size();
		prepared.forEach((encoding, all) -> {
			if (all.size() != this.size) {
				throw new IllegalArgumentException(
						"%d pods in JSON, but %d in %s".formatted(this.size, all.size(), encoding));
			}
			this.pods.put(encoding, all.stream().map(EncodedPod::new).toList());
		});
	}

	Set<Encoding> encodings() {
		return this.pods.keySet();
	}

	int size() {
		return this.size;
	}

	synchronized String version() {
		return Long.toString(this.version);
	}

	/**
	 * Returns the time at which the last change was due.
	 * @return the time; 0 if there was none
	 */
	synchronized long last() {
		return this.last;
	}

	/** Forgets the time of the last change. */
	synchronized void forget() {
		this.last = 0;
	}

	/** Expires all versions so far. */
	synchronized void expire() {
		this.version++;
		this.oldest = this.version;
	}

	/**
	 * Returns whether a watch can no longer begin at a version.
	 * @param asked the version
	 * @return {@code true} if the version has expired
	 */
	synchronized boolean isExpired(String asked) {
		return !asked.isEmpty() && !asked.equals("0") && Long.parseLong(asked) < this.oldest;
	}

	/**
	 * Returns copies of some pods.
	 * @param encoding the encoding
	 * @param from the index of the first pod
	 * @param to the index after the last pod
	 * @return the copies
	 */
	synchronized List<byte[]> range(Encoding encoding, int from, int to) {
		List<byte[]> copies = new ArrayList<>(to - from);
		all(encoding).subList(from, to).forEach((pod) -> copies.add(pod.bytes().clone()));
		return copies;
	}

	/**
	 * Changes one pod, and writes its event.
	 * @param due the time for its annotation
	 * @param encoding the encoding of the event
	 * @param sink the receiver of the event
	 */
	synchronized void change(long due, Encoding encoding, Encoding.Sink sink) {
		this.version++;
		this.last = due;
		this.next = (this.next + STRIDE) % this.size;
		for (List<EncodedPod> each : this.pods.values()) {
			EncodedPod pod = each.get(this.next);
			pod.version(this.version);
			pod.stamp(due);
		}
		encoding.event(sink, "MODIFIED", all(encoding).get(this.next).bytes());
	}

	private List<EncodedPod> all(Encoding encoding) {
		List<EncodedPod> all = this.pods.get(encoding);
		if (all == null) {
			throw new IllegalArgumentException("No pods in " + encoding);
		}
		return all;
	}

}
