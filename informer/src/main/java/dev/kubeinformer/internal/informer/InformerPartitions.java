package dev.kubeinformer.internal.informer;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.model.ModelCopies;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.status.InformerNotices;
import dev.kubeinformer.internal.status.StatusTracker;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.transport.Negotiation;
import dev.kubeinformer.types.MetadataMode;
import dev.kubeinformer.types.WireEncoding;

/**
 * The partitions of one informer and their reflectors: one for each namespace that is
 * watched on its own, or one for all of the cluster, whose name is the empty string. What
 * changes it is called under one lock of the caller; what reads it is called by any
 * thread.
 *
 * @param <T> the model class
 */
final class InformerPartitions<T extends KubernetesObject> {

	private final InformerSpec<T> spec;

	private final ObjectStore<T> store;

	private final StatusTracker status;

	private final InformerNotices notices;

	private final List<RunningReflector<T>> reflectors = new CopyOnWriteArrayList<>();

	/** Whether the first list of a start asks for the most recent state. */
	private final Predicate<InformerSpec<?>> fresh;

	private volatile Set<String> names;

	/** That of the last start, which the next one does not inherit. */
	private volatile @Nullable Negotiation negotiation;

	private volatile @Nullable TransformFunc transform;

	/**
	 * Transform that produced the cached objects, by partition; absent for an empty one.
	 */
	private final Map<String, PartitionTransform> passed = new HashMap<>();

	InformerPartitions(InformerSpec<T> spec, ObjectStore<T> store, StatusTracker status, InformerNotices notices,
			Predicate<InformerSpec<?>> fresh) {
		this.fresh = fresh;
		this.spec = spec;
		this.store = store;
		this.status = status;
		this.notices = notices;
		this.names = of(spec);
	}

	/**
	 * Returns the partitions that an informer has at first.
	 * @param spec the spec of the informer
	 * @return its namespaces, or the empty string for all of the cluster
	 */
	static Set<String> of(InformerSpec<?> spec) {
		return spec.namespaces().isEmpty() ? Set.of("") : spec.namespaces();
	}

	Set<String> names() {
		return this.names;
	}

	/**
	 * Returns whether all of the cluster is one partition.
	 * @return whether namespaces can be neither added nor removed
	 */
	boolean isWhole() {
		return this.names.contains("");
	}

	/**
	 * Returns whether the cache was filled with what the API server held at a moment, or
	 * later, in all partitions.
	 * @param since the moment, by the clock that only grows
	 * @return whether that is known
	 */
	boolean wereFilledFresh(long since) {
		return !this.reflectors.isEmpty() && this.reflectors.stream().allMatch((each) -> each.isFilledFresh(since));
	}

	@Nullable WireEncoding encoding() {
		Negotiation encodings = this.negotiation;
		return (encodings != null) ? encodings.encoding() : null;
	}

	@Nullable MetadataMode metadataMode() {
		Negotiation encodings = this.negotiation;
		return (encodings != null) ? encodings.metadataMode() : null;
	}

	/**
	 * Sets what changes objects before they are stored, from the next start on.
	 * @param transform the transform; {@code null} for none
	 */
	void transform(@Nullable TransformFunc transform) {
		this.transform = transform;
	}

	/**
	 * Makes of an object what the cache would hold of it.
	 * @param object the object, which stays as it is
	 * @return the object, none if the transform drops it, or why it cannot be cached
	 */
	DecodedObject<T> prepare(T object) {
		TransformFunc present = this.transform;
		V1ObjectMeta metadata = Objects.requireNonNullElseGet(object.getMetadata(), V1ObjectMeta::new);
		return new ObjectPreparation<>(this.spec.type().objectClass(), present).prepare(new DecodedObject<>(
				new ObjectMetadata(Objects.requireNonNullElse(metadata.getNamespace(), ""),
						Objects.requireNonNullElse(metadata.getName(), ""),
						Objects.requireNonNullElse(metadata.getUid(), ""),
						Objects.requireNonNullElse(metadata.getResourceVersion(), "")),
				(present != null) ? ModelCopies.copy(object) : object, null));
	}

	/**
	 * Agrees on encodings anew, before all start.
	 * @param started what informers share
	 */
	void negotiate(InformerRuntime started) {
		this.status.notes(started.connections().notes());
		this.negotiation = started.decoding()
			.apply(this.spec.type())
			.negotiation(this.spec.type(), this.status::fellBack, started.reflectorOptions().nanoTime());
	}

	void startAll(InformerRuntime started) {
		this.names.forEach((partition) -> start(partition, started));
	}

	/**
	 * Starts the reflector of a partition.
	 * @param partition the partition
	 * @param started what informers share
	 */
	void start(String partition, InformerRuntime started) {
		Negotiation encodings = Objects.requireNonNull(this.negotiation);
		PartitionTransform before = this.passed.get(partition);
		RunningReflector<T> reflector = RunningReflector.of(partition, this.spec, this.store,
				new RunningReflector.Observers(this.status, this.notices, encodings, this.names.size()),
				(before != null) ? before.replacedBy(this.transform) : new PartitionTransform(this.transform, false),
				started);
		if (this.fresh.test(this.spec)) {
			reflector.askForMostRecentState();
		}
		// Its callbacks are to be known as such from the first one on.
		this.reflectors.add(reflector);
		reflector.start();
	}

	/**
	 * Adds a partition, without a reflector.
	 * @param partition the partition
	 * @return whether it was not there yet
	 */
	boolean add(String partition) {
		if (!this.store.addPartition(partition)) {
			return false;
		}
		Set<String> more = new TreeSet<>(this.names);
		more.add(partition);
		this.names = Collections.unmodifiableSet(more);
		return true;
	}

	/**
	 * Removes a partition with its content.
	 * @param partition the partition
	 * @return its reflectors, which end
	 */
	List<RunningReflector<T>> remove(String partition) {
		List<RunningReflector<T>> ended = this.reflectors.stream()
			.filter((each) -> each.partition().equals(partition))
			.toList();
		ended.forEach(RunningReflector::stop);
		// First of what can fail: the removal can be repeated then.
		this.store.removePartition(partition);
		Set<String> less = new TreeSet<>(this.names);
		less.remove(partition);
		this.names = Collections.unmodifiableSet(less);
		this.reflectors.removeAll(ended);
		this.passed.remove(partition);
		return ended;
	}

	void stopAll() {
		this.reflectors.forEach(RunningReflector::stop);
	}

	/**
	 * Waits until all reflectors have ended. It needs no lock of the caller.
	 */
	void awaitEnd() {
		this.reflectors.forEach(RunningReflector::awaitEnd);
	}

	/**
	 * Discards the reflectors, once the store refuses them.
	 */
	void ended() {
		this.reflectors.forEach(
				(each) -> this.passed.compute(each.partition(), (partition, before) -> each.sink().passed(before)));
		this.reflectors.clear();
	}

	/**
	 * Returns whether the calling thread is that of a reflector, so that its caller is a
	 * transform or an index function.
	 * @return whether it is
	 */
	boolean isCurrentThread() {
		return this.reflectors.stream().anyMatch(RunningReflector::isCurrentThread);
	}

}
