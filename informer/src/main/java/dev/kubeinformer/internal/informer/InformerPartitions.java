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
import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.status.InformerNotices;
import dev.kubeinformer.internal.status.StatusTracker;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.transport.Negotiation;
import dev.kubeinformer.types.MetadataMode;
import dev.kubeinformer.types.WireEncoding;

/**
 * Partitions of one informer and their reflectors: one for each namespace that is watched
 * separately, or a single one for the whole cluster, whose name is the empty string.
 * Methods that change them are called under a lock of the caller; any thread may call the
 * others.
 *
 * @param <T> the model class
 */
final class InformerPartitions<T extends KubernetesObject> {

	private final InformerSpec<T> spec;

	private final ObjectStore<T> store;

	private final StatusTracker status;

	private final InformerNotices notices;

	private final List<RunningReflector<T>> reflectors = new CopyOnWriteArrayList<>();

	/** Returns whether the first list after a start requests the most recent state. */
	private final Predicate<InformerSpec<?>> fresh;

	private volatile Set<String> names;

	/** Encoding negotiation of the last start; every start negotiates again. */
	private volatile @Nullable Negotiation negotiation;

	private volatile @Nullable TransformFunc transform;

	/**
	 * Transform that produced the cached objects, by partition; absent for an empty
	 * partition.
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
	 * Returns the initial partitions of an informer.
	 * @param spec the spec of the informer
	 * @return its namespaces, or the empty string for the whole cluster
	 */
	static Set<String> of(InformerSpec<?> spec) {
		return spec.namespaces().isEmpty() ? Set.of("") : spec.namespaces();
	}

	Set<String> names() {
		return this.names;
	}

	/**
	 * Returns whether the informer has one partition for the whole cluster.
	 * @return {@code true} if namespaces can be neither added nor removed
	 */
	boolean isWhole() {
		return this.names.contains("");
	}

	/**
	 * Returns whether all partitions were filled with a state of the API server that is
	 * not older than a given time.
	 * @param since the time, by the monotonic clock
	 * @return {@code true} if all partitions are known to be that recent
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
	 * Sets the transform of objects before they are stored, from the next start on.
	 * @param transform the transform; {@code null} for none
	 */
	void transform(@Nullable TransformFunc transform) {
		this.transform = transform;
	}

	/**
	 * Converts an object into its cached form.
	 * @param object the object, which is not changed
	 * @return the object, nothing if the transform drops it, or the reason why it cannot
	 * be cached
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
	 * Negotiates encodings again, before all reflectors start.
	 * @param started the resources that all informers share
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
	 * @param started the resources that all informers share
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
		// Register before starting, so that its very first callback is recognised as one.
		this.reflectors.add(reflector);
		reflector.start();
	}

	/**
	 * Adds a partition without a reflector.
	 * @param partition the partition
	 * @return {@code true} if it was added, {@code false} if it existed
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
	 * @return the reflectors of the partition, which are about to end
	 */
	List<RunningReflector<T>> remove(String partition) {
		List<RunningReflector<T>> ended = this.reflectors.stream()
			.filter((each) -> each.partition().equals(partition))
			.toList();
		ended.forEach(RunningReflector::stop);
		// Do this first: if it throws, nothing has changed and the removal can be
		// repeated.
		this.store.removePartition(partition);
		Set<String> less = new TreeSet<>(this.names);
		less.remove(partition);
		this.names = Collections.unmodifiableSet(less);
		this.reflectors.removeAll(ended);
		this.passed.remove(partition);
		return ended;
	}

	/**
	 * Notes that slots were gained or lost. Called after the store has received the
	 * change.
	 */
	void slotsChanged() {
		this.reflectors.forEach(RunningReflector::slotsChanged);
	}

	/**
	 * Forgets the quarantined objects of slots that were lost.
	 * @param lost the slots
	 */
	void evicted(SlotPredicate lost) {
		this.reflectors.forEach((each) -> each.sink().evicted(lost));
	}

	void stopAll() {
		this.reflectors.forEach(RunningReflector::stop);
	}

	/** Waits until all reflectors have ended. Does not need the caller's lock. */
	void awaitEnd() {
		this.reflectors.forEach(RunningReflector::awaitEnd);
	}

	/**
	 * Discards the reflectors. Called after the store has begun to reject their writes.
	 */
	void ended() {
		this.reflectors.forEach(
				(each) -> this.passed.compute(each.partition(), (partition, before) -> each.sink().passed(before)));
		this.reflectors.clear();
	}

	/**
	 * Returns whether the calling thread belongs to a reflector, so the caller is a
	 * transform or an index function.
	 * @return {@code true} if the thread belongs to a reflector
	 */
	boolean isCurrentThread() {
		return this.reflectors.stream().anyMatch(RunningReflector::isCurrentThread);
	}

}
