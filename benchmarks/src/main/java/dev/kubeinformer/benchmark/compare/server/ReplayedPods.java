package dev.kubeinformer.benchmark.compare.server;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The pods that are replayed, in each encoding that there is, and the version of the
 * whole. Thread-safe.
 */
final class ReplayedPods {

	/** Steps through the pods in an order that no cache of the processor likes. */
	private static final int STRIDE = 7919;

	private final Map<Encoding, List<EncodedPod>> pods = new EnumMap<>(Encoding.class);

	private final int size;

	private long version = Long.parseLong(EncodedPod.VERSION);

	private long oldest;

	private int next;

	private long last;

	/**
	 * Takes pods.
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
	 * When the last change was due.
	 * @return the time; 0 if there was none
	 */
	synchronized long last() {
		return this.last;
	}

	/**
	 * Forgets when that was.
	 */
	synchronized void forget() {
		this.last = 0;
	}

	/**
	 * Lets all versions so far expire.
	 */
	synchronized void expire() {
		this.version++;
		this.oldest = this.version;
	}

	/**
	 * Whether a watch can no longer begin at a version.
	 * @param asked the version
	 * @return whether it is too old
	 */
	synchronized boolean isExpired(String asked) {
		return !asked.isEmpty() && !asked.equals("0") && Long.parseLong(asked) < this.oldest;
	}

	/**
	 * Some pods as they are.
	 * @param encoding the encoding
	 * @param from the first
	 * @param to the one after the last
	 * @return copies
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
	 * @param sink where to write it
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
