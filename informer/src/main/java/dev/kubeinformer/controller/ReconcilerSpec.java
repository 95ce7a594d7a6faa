package dev.kubeinformer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/**
 * Settings of a reconciler: the objects that it reconciles, the other causes of runs, and
 * how it runs. Immutable; the {@code with} methods return changed copies.
 *
 * @param <T> the model class of the primary
 */
public final class ReconcilerSpec<T extends KubernetesObject> {

	/**
	 * Annotation of an applied object with a digest of its desired state. An object that
	 * has the digest, and every desired value, is not applied again.
	 */
	public static final String APPLIED_ANNOTATION = "kubeinformer.dev/applied";

	private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]+");

	/** Qualified name, which the API server requires for finalizers. */
	private static final Pattern FINALIZER = Pattern
		.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

	/** Values, which are never changed once they are assigned. */
	private final Values<T> values;

	private ReconcilerSpec(Values<T> values) {
		this.values = values;
	}

	/**
	 * Returns the settings of a reconciler for all objects of a class in the whole
	 * cluster.
	 * @param <T> the model class
	 * @param id the id, of letters, digits, '_' and '-'; it is part of the names of
	 * threads, meters, the field manager and the finalizer
	 * @param objectClass the model class of the primary
	 * @param function the reconciler
	 * @return the settings
	 * @throws IllegalArgumentException if the id is not valid
	 * @throws dev.kubeinformer.resource.UnknownResourceTypeException if the class does
	 * not belong to a resource
	 */
	public static <T extends KubernetesObject> ReconcilerSpec<T> of(String id, Class<T> objectClass,
			ReconcileFunction<T> function) {
		return of(id, ResourceType.of(objectClass), function);
	}

	/**
	 * Returns the settings of a reconciler for all objects of a resource in the whole
	 * cluster.
	 * @param <T> the model class
	 * @param id the id, of letters, digits, '_' and '-'
	 * @param type the resource of the primary
	 * @param function the reconciler
	 * @return the settings
	 * @throws IllegalArgumentException if the id is not valid, or the resource has no
	 * class or consists of metadata only
	 */
	public static <T extends KubernetesObject> ReconcilerSpec<T> of(String id, ResourceType<T> type,
			ReconcileFunction<T> function) {
		if (type.isDynamic()) {
			throw new IllegalArgumentException(
					("Reconciler '%s' cannot be on '%s' without a class, because it writes objects of a kind that is "
							+ "known; write a class with @KubernetesResource for it, or use an informer with a handler")
						.formatted(id, type));
		}
		if (type.isMetadata()) {
			throw new IllegalArgumentException(
					"Reconciler '%s' cannot be on the metadata of '%s' alone, because it writes their status; use the whole objects as primaries, and the metadata of owned or watched ones"
						.formatted(id, type.name()));
		}
		if (!ID.matcher(id).matches()) {
			throw new IllegalArgumentException(
					"'%s' is not a valid reconciler id; use letters, digits, '_' and '-'".formatted(id));
		}
		return new ReconcilerSpec<>(new Values<>(id, type, function));
	}

	private ReconcilerSpec<T> with(Consumer<Values<T>> change) {
		Values<T> changed = this.values.copy();
		change.accept(changed);
		return new ReconcilerSpec<>(changed);
	}

	private static Duration positive(String name, Duration duration) {
		if (duration.isNegative() || duration.isZero()) {
			throw new IllegalArgumentException("%s '%s' must be positive".formatted(name, duration));
		}
		return duration;
	}

	private static Duration notNegative(String name, Duration duration) {
		if (duration.isNegative()) {
			throw new IllegalArgumentException("%s '%s' must not be negative".formatted(name, duration));
		}
		return duration;
	}

	/**
	 * Restricts primaries, and owned and watched objects, to namespaces.
	 * @param namespaces the namespaces; empty for the whole cluster
	 * @return a copy for these namespaces
	 */
	public ReconcilerSpec<T> withNamespaces(Collection<String> namespaces) {
		Set<String> sorted = Collections.unmodifiableSet(new TreeSet<>(namespaces));
		return with((copy) -> copy.namespaces = sorted);
	}

	/**
	 * Restricts primaries, and owned and watched objects, to namespaces.
	 * @param namespaces the namespaces; none for the whole cluster
	 * @return a copy for these namespaces
	 */
	public ReconcilerSpec<T> withNamespaces(String... namespaces) {
		return withNamespaces(List.of(namespaces));
	}

	/**
	 * Restricts primaries to objects with certain labels.
	 * @param labelSelector the selector; {@code null} for none
	 * @return a copy with that selector
	 */
	public ReconcilerSpec<T> withLabelSelector(@Nullable String labelSelector) {
		return with((copy) -> copy.labelSelector = labelSelector);
	}

	/**
	 * Restricts primaries to objects with certain field values.
	 * @param fieldSelector the selector; {@code null} for none
	 * @return a copy with that selector
	 */
	public ReconcilerSpec<T> withFieldSelector(@Nullable String fieldSelector) {
		return with((copy) -> copy.fieldSelector = fieldSelector);
	}

	/**
	 * Restricts primaries to a shard. Objects of other shards are neither cached nor
	 * reconciled. Changes of objects that are owned by primaries of other shards do not
	 * cause runs. With a shard by UID, the caches of owned and watched objects stay
	 * complete. With a shard by namespace, the caches of owned and watched namespaced
	 * objects are restricted, too, because an owner is in the namespace of its objects.
	 * @param shard the shard; {@code null} for all primaries
	 * @return a copy for that shard
	 * @throws IllegalArgumentException if the shard is by namespace and primaries are
	 * cluster-scoped
	 * @see #withWhole(Collection)
	 */
	public ReconcilerSpec<T> withShard(@Nullable Shard shard) {
		if (shard != null && shard.key() == ShardKey.NAMESPACE && !this.values.type.namespaced()) {
			throw new IllegalArgumentException("Reconciler '%s' is on '%s', which are not namespaced; use ShardKey.UID"
				.formatted(this.values.id, this.values.type.name()));
		}
		return with((copy) -> {
			copy.shard = shard;
			copy.shards = (shard != null) ? null : copy.shards;
		});
	}

	/**
	 * Restricts primaries to the slots that this process holds. Runs of a key begin after
	 * this process has gained the key's slot and the caches hold the objects of the slot.
	 * When the slot is released, no run of the key is active. Caches of owned and watched
	 * objects are restricted as by {@link #withShard(Shard)}, which this setting
	 * replaces.
	 * @param shards the distribution of objects over the replicas; {@code null} for all
	 * primaries
	 * @return a copy for these slots
	 * @throws IllegalArgumentException if the slots are by namespace and primaries are
	 * cluster-scoped, or if a {@link #withLeadership(Leadership) leadership} decides
	 * whether this process runs the reconciler
	 */
	public ReconcilerSpec<T> withShards(@Nullable Shards shards) {
		requireOneOf(this.values.leadership, shards);
		if (shards != null && shards.division().key() == ShardKey.NAMESPACE && !this.values.type.namespaced()) {
			throw new IllegalArgumentException("Reconciler '%s' is on '%s', which are not namespaced; use ShardKey.UID"
				.formatted(this.values.id, this.values.type.name()));
		}
		return with((copy) -> {
			copy.shards = shards;
			copy.shard = (shards != null) ? null : copy.shard;
		});
	}

	private void requireOneOf(@Nullable Leadership leadership, @Nullable Shards shards) {
		if (leadership != null && shards != null) {
			throw new IllegalArgumentException(("Reconciler '%s' cannot have a leadership and shards, because each of "
					+ "them decides where it runs; choose one")
				.formatted(this.values.id));
		}
	}

	/**
	 * Keeps caches complete that a shard by namespace would restrict. For example,
	 * watched objects may be mapped to primaries in other namespaces.
	 * @param whole the resources of owned and watched objects, or of their metadata
	 * @return a copy with complete caches of these resources only
	 */
	public ReconcilerSpec<T> withWhole(Collection<? extends ResourceType<?>> whole) {
		Set<ResourceType<?>> types = whole.stream().map(ResourceType::metadata).collect(Collectors.toUnmodifiableSet());
		return with((copy) -> copy.whole = types);
	}

	/**
	 * Adds a resource of objects that primaries own.
	 * @param owned the resource
	 * @return a copy with that resource
	 * @throws IllegalArgumentException if the resource is that of the primary or has no
	 * class, or if it was added already, with whole objects or as metadata
	 */
	public ReconcilerSpec<T> withOwned(OwnedResource<?> owned) {
		if (owned.type().isDynamic()) {
			throw new IllegalArgumentException(
					("Reconciler '%s' cannot own objects of '%s' without a class, because it finds and writes them by "
							+ "their class; write a class with @KubernetesResource for it")
						.formatted(this.values.id, owned.type()));
		}
		ResourceType<?> metadata = owned.type().metadata();
		if (metadata.equals(this.values.type.metadata())) {
			throw new IllegalArgumentException("Reconciler '%s' cannot own objects of its own resource '%s'"
				.formatted(this.values.id, owned.type().name()));
		}
		if (this.values.owned.stream().anyMatch((each) -> each.type().equals(owned.type()))) {
			throw new IllegalArgumentException(
					"Reconciler '%s' owns '%s' twice".formatted(this.values.id, owned.type().name()));
		}
		if (this.values.owned.stream().anyMatch((each) -> each.type().metadata().equals(metadata))) {
			throw new IllegalArgumentException("Reconciler '%s' owns '%s' whole and as metadata; keep one of the two"
				.formatted(this.values.id, owned.type().name()));
		}
		return with((copy) -> copy.owned = plus(copy.owned, owned));
	}

	/**
	 * Adds a resource of objects that primaries control.
	 * @param owned the model class
	 * @return a copy with that resource
	 * @throws IllegalArgumentException if the resource is that of the primary or was
	 * added already
	 */
	public ReconcilerSpec<T> withOwned(Class<? extends KubernetesObject> owned) {
		return withOwned(OwnedResource.of(owned));
	}

	/**
	 * Adds a resource of objects that are mapped to keys of primaries.
	 * @param watched the resource
	 * @return a copy with that resource
	 */
	public ReconcilerSpec<T> withWatched(WatchedResource<?> watched) {
		return with((copy) -> copy.watched = plus(copy.watched, watched));
	}

	/**
	 * Sets the updates of a primary that cause a run. By default, these are updates that
	 * change more than {@code status}, {@code resourceVersion} and {@code managedFields}.
	 * @param updateCondition the condition; {@code null} for the default
	 * @return a copy with that condition
	 */
	public ReconcilerSpec<T> withUpdateCondition(@Nullable UpdateCondition<? super T> updateCondition) {
		return with((copy) -> copy.updateCondition = updateCondition);
	}

	/**
	 * Sets whether a change of a primary's status alone causes a run. By default, it
	 * causes a run only for built-in resources, because others write their status.
	 * @param statusTrigger {@code true} if it causes a run
	 * @return a copy with that setting
	 */
	public ReconcilerSpec<T> withStatusTrigger(boolean statusTrigger) {
		return with((copy) -> copy.statusTrigger = statusTrigger);
	}

	/**
	 * Sets a cleanup that runs before an object is deleted. The reconciler keeps a
	 * finalizer on each primary, and removes it after the cleanup of an object that is
	 * being deleted.
	 * @param finalizer the finalizer, such as {@code example.com/widgets}
	 * @param cleanup the cleanup; if its result asks for a requeue, it is not complete
	 * yet
	 * @return a copy with that cleanup
	 * @throws IllegalArgumentException if the API server would reject the finalizer, or
	 * {@link #withUnowned unowned objects} have another finalizer
	 */
	public ReconcilerSpec<T> withCleanup(String finalizer, ReconcileFunction<T> cleanup) {
		requireFinalizer(finalizer, this.values.unowned.isEmpty() ? null : this.values.finalizer);
		return with((copy) -> {
			copy.finalizer = finalizer;
			copy.cleanup = cleanup;
		});
	}

	/**
	 * Adds a resource whose objects the reconciler writes although primaries do not own
	 * them. When a primary is deleted, its unowned objects are deleted before its
	 * finalizer is removed, and after the {@link #withCleanup cleanup} if there is one.
	 * Changes of unowned objects cause runs.
	 * <p>
	 * Do not remove the resource while such objects exist, because nothing else deletes
	 * them.
	 * @param finalizer the finalizer, such as {@code example.com/widgets}; the finalizer
	 * of the cleanup if there is one
	 * @param unowned the resource
	 * @return a copy with that resource
	 * @throws IllegalArgumentException if the API server would reject the finalizer, if
	 * another finalizer was set before, or if the resource is that of the primary or was
	 * added already
	 * @see Reconciliation#applyUnowned(KubernetesObject)
	 */
	public ReconcilerSpec<T> withUnowned(String finalizer, UnownedResource<?> unowned) {
		requireFinalizer(finalizer, this.values.finalizer);
		if (unowned.type().equals(this.values.type)
				|| this.values.unowned.stream().anyMatch((each) -> each.type().equals(unowned.type()))) {
			throw new IllegalArgumentException("Reconciler '%s' has '%s' as primaries or as unowned objects already"
				.formatted(this.values.id, unowned.type().name()));
		}
		WatchedResource<?> source = unowned.source(this.values.id);
		return with((copy) -> {
			copy.finalizer = finalizer;
			copy.unowned = plus(copy.unowned, unowned);
			copy.unownedSources = plus(copy.unownedSources, source);
			copy.watched = plus(copy.watched, source);
		});
	}

	private void requireFinalizer(String finalizer, @Nullable String present) {
		if (!FINALIZER.matcher(finalizer).matches()) {
			throw new IllegalArgumentException(
					"'%s' is not a finalizer; it must be like 'example.com/name', with a name of up to 63 letters, digits, '-', '_' and '.'"
						.formatted(finalizer));
		}
		if (present != null && !present.equals(finalizer)) {
			throw new IllegalArgumentException("Reconciler '%s' has the finalizer '%s', and cannot have '%s' as well"
				.formatted(this.values.id, present, finalizer));
		}
	}

	/**
	 * Sets the maximum number of concurrent runs, which are for different keys.
	 * @param concurrency the number of workers, at least 1; 4 by default
	 * @return a copy with that number
	 * @throws IllegalArgumentException if the number is below 1
	 */
	public ReconcilerSpec<T> withConcurrency(int concurrency) {
		if (concurrency < 1) {
			throw new IllegalArgumentException("Concurrency '%d' must be at least 1".formatted(concurrency));
		}
		return with((copy) -> copy.concurrency = concurrency);
	}

	/**
	 * Sets the period of the resync. In each period, every key is queued once more, and
	 * the keys are spread over the period. A resync sends no request to the API server.
	 * @param resync the period; zero for none; 10 hours by default
	 * @return a copy with that period
	 * @throws IllegalArgumentException if the period is negative
	 */
	public ReconcilerSpec<T> withResync(Duration resync) {
		Duration checked = notNegative("Resync period", resync);
		return with((copy) -> copy.resync = checked);
	}

	/**
	 * Sets the maximum duration of a run. After that its requests are cancelled and its
	 * thread is interrupted.
	 * @param timeout the time; 5 minutes by default
	 * @return a copy with that time
	 * @throws IllegalArgumentException if the time is not positive
	 */
	public ReconcilerSpec<T> withTimeout(Duration timeout) {
		Duration checked = positive("Timeout", timeout);
		return with((copy) -> copy.timeout = checked);
	}

	/**
	 * Sets the minimum time between the starts of two runs of a key. Deletions are not
	 * delayed.
	 * @param minInterval the time; zero by default
	 * @return a copy with that time
	 * @throws IllegalArgumentException if the time is negative
	 */
	public ReconcilerSpec<T> withMinInterval(Duration minInterval) {
		Duration checked = notNegative("Least interval", minInterval);
		return with((copy) -> copy.minInterval = checked);
	}

	/**
	 * Sets the time within which the caches should show the writes of runs. Until the
	 * caches show a write, runs receive the response of the API server to it instead,
	 * however long that takes. After this time, the status counts the written object as
	 * {@link ReconcilerStatus.Queue#waiting() waiting}. If runs cannot receive a
	 * response, the next run of the key waits for the caches, but no longer than this
	 * time.
	 * @param ownWritesTimeout the time; 10 seconds by default
	 * @return a copy with that time
	 * @throws IllegalArgumentException if the time is not positive
	 */
	public ReconcilerSpec<T> withOwnWritesTimeout(Duration ownWritesTimeout) {
		Duration checked = positive("Timeout of own writes", ownWritesTimeout);
		return with((copy) -> copy.ownWritesTimeout = checked);
	}

	/**
	 * Sets the backoff of failed runs. The number of retries is not limited.
	 * @param retry the backoff
	 * @return a copy with that backoff
	 */
	public ReconcilerSpec<T> withRetry(Retry retry) {
		return with((copy) -> copy.retry = retry);
	}

	/**
	 * Sets exceptions after which a run is not retried, as after a
	 * {@link GiveUpException}. Conflicts are always retried.
	 * @param retryExcludes the classes; subclasses and causes count, too
	 * @return a copy with those exceptions
	 */
	public ReconcilerSpec<T> withRetryExcludes(Collection<Class<? extends Throwable>> retryExcludes) {
		return with((copy) -> copy.retryExcludes = List.copyOf(retryExcludes));
	}

	/**
	 * Sets the field manager of server-side apply.
	 * @param fieldManager the name; the id by default
	 * @return a copy with that name
	 * @throws IllegalArgumentException if the name is blank or longer than 128 characters
	 */
	public ReconcilerSpec<T> withFieldManager(String fieldManager) {
		String checked = fieldManager(fieldManager);
		return with((copy) -> copy.fieldManager = checked);
	}

	/**
	 * Sets the field managers that created or updated the children before this reconciler
	 * applied them, such as {@code kubectl-client-side-apply} or the field manager of an
	 * earlier operator. The first apply takes over the fields of these managers, and
	 * removes the fields that it does not set. The reconciler's own field manager is
	 * always included. Finalizers, the status and the primary are not affected.
	 * @param formerFieldManagers the names; none by default
	 * @return a copy with those names
	 * @throws IllegalArgumentException if a name is blank or longer than 128 characters
	 */
	public ReconcilerSpec<T> withFormerFieldManagers(Collection<String> formerFieldManagers) {
		Set<String> checked = new LinkedHashSet<>();
		formerFieldManagers.forEach((name) -> checked.add(fieldManager(name)));
		return with((copy) -> copy.formerFieldManagers = Collections.unmodifiableSet(checked));
	}

	private static String fieldManager(String name) {
		if (name.isBlank() || name.length() > 128) {
			throw new IllegalArgumentException(
					"'%s' is not a valid field manager; it must have 1 to 128 characters".formatted(name));
		}
		return name;
	}

	/**
	 * Sets whether applied objects get the annotation {@value #APPLIED_ANNOTATION}.
	 * Without it, each object is applied once after a start.
	 * @param appliedDigest {@code true} (default) to annotate them
	 * @return a copy with that setting
	 */
	public ReconcilerSpec<T> withAppliedDigest(boolean appliedDigest) {
		return with((copy) -> copy.appliedDigest = appliedDigest);
	}

	/**
	 * Sets how long runs may take to end when the reconciler is stopped. After this time
	 * they are interrupted.
	 * @param drainTimeout the time; 20 seconds by default
	 * @return a copy with that time
	 * @throws IllegalArgumentException if the time is negative
	 */
	public ReconcilerSpec<T> withDrainTimeout(Duration drainTimeout) {
		Duration checked = notNegative("Drain timeout", drainTimeout);
		return with((copy) -> copy.drainTimeout = checked);
	}

	/**
	 * Sets the factory for the threads of the workers. They are named after the
	 * reconciler.
	 * @param threadFactory the factory
	 * @return a copy with that factory
	 */
	public ReconcilerSpec<T> withThreadFactory(ThreadFactory threadFactory) {
		return with((copy) -> copy.threadFactory = threadFactory);
	}

	/**
	 * Adds a listener.
	 * @param listener the listener
	 * @return a copy with that listener
	 */
	public ReconcilerSpec<T> withListener(ReconcilerListener listener) {
		return with((copy) -> copy.listeners = plus(copy.listeners, listener));
	}

	private static <E> List<E> plus(List<E> list, E added) {
		List<E> more = new ArrayList<>(list);
		more.add(added);
		return List.copyOf(more);
	}

	/**
	 * Sets the leadership that decides whether this process runs the reconciler. While
	 * another replica leads, the caches of all sources are kept current, and no key is
	 * queued. When a term begins, all keys are queued. When a term is over, no further
	 * key is taken and no request is sent, current requests are cancelled, and runs are
	 * interrupted.
	 * @param leadership the leadership; {@code null}, the default, to always run
	 * @return a copy with that leadership
	 * @throws IllegalArgumentException if primaries are divided by
	 * {@link #withShards(Shards) shards}
	 */
	public ReconcilerSpec<T> withLeadership(@Nullable Leadership leadership) {
		requireOneOf(leadership, this.values.shards);
		return with((copy) -> copy.leadership = leadership);
	}

	/**
	 * Returns the id.
	 * @return the id
	 */
	public String id() {
		return this.values.id;
	}

	/**
	 * Returns the resource of the primary.
	 * @return the resource
	 */
	public ResourceType<T> type() {
		return this.values.type;
	}

	/**
	 * Returns the reconciler.
	 * @return the function
	 */
	public ReconcileFunction<T> function() {
		return this.values.function;
	}

	/**
	 * Returns the namespaces.
	 * @return the namespaces in alphabetical order; empty for the whole cluster
	 */
	public Set<String> namespaces() {
		return this.values.namespaces;
	}

	/**
	 * Returns the label selector of primaries.
	 * @return the selector; {@code null} for none
	 */
	public @Nullable String labelSelector() {
		return this.values.labelSelector;
	}

	/**
	 * Returns the field selector of primaries.
	 * @return the selector; {@code null} for none
	 */
	public @Nullable String fieldSelector() {
		return this.values.fieldSelector;
	}

	/**
	 * Returns the shard of primaries.
	 * @return the shard; {@code null} for all primaries
	 */
	public @Nullable Shard shard() {
		return this.values.shard;
	}

	/**
	 * Returns the distribution of primaries over the replicas.
	 * @return the distribution; {@code null} without {@link #withShards(Shards)}
	 */
	public @Nullable Shards shards() {
		return this.values.shards;
	}

	/**
	 * Returns the shard to which the cache of owned or watched objects is restricted.
	 * @param source the resource of the objects
	 * @return the shard; {@code null} if the cache is complete
	 */
	public @Nullable Shard shardOf(ResourceType<?> source) {
		Shard shard = this.values.shard;
		return (shard != null && isNarrowed(source, shard.key())) ? shard : null;
	}

	/**
	 * Returns the distribution of slots over the replicas, if it restricts the cache of
	 * owned or watched objects. The cache then holds only the objects of the slots of
	 * this process.
	 * @param source the resource of the objects
	 * @return the distribution; {@code null} if the cache is complete
	 */
	public @Nullable Shards shardsOf(ResourceType<?> source) {
		Shards shards = this.values.shards;
		return (shards != null && isNarrowed(source, shards.division().key())) ? shards : null;
	}

	private boolean isNarrowed(ResourceType<?> source, ShardKey key) {
		// Unowned objects may be in any namespace, including those of other shards.
		boolean unowned = this.values.unowned.stream().anyMatch((each) -> each.type().equals(source));
		return key == ShardKey.NAMESPACE && source.namespaced() && !unowned
				&& !this.values.whole.contains(source.metadata());
	}

	/**
	 * Returns the leadership that decides whether this process runs the reconciler.
	 * @return the leadership; {@code null} if the reconciler always runs
	 */
	public @Nullable Leadership leadership() {
		return this.values.leadership;
	}

	/**
	 * Returns the resources of objects that primaries own.
	 * @return the resources
	 */
	public List<OwnedResource<?>> owned() {
		return this.values.owned;
	}

	/**
	 * Returns the resources of objects that are mapped to primaries.
	 * @return the resources
	 */
	public List<WatchedResource<?>> watched() {
		return this.values.watched;
	}

	/**
	 * Returns the resources whose objects the reconciler writes although primaries do not
	 * own them.
	 * @return the resources
	 */
	public List<UnownedResource<?>> unowned() {
		return this.values.unowned;
	}

	/**
	 * Returns whether a source contains unowned objects.
	 * @param source one of the sources of {@link #watched()}
	 * @return {@code true} if the source contains unowned objects
	 */
	public boolean isUnowned(WatchedResource<?> source) {
		return this.values.unownedSources.contains(source);
	}

	/**
	 * Returns the condition on which an update of a primary causes a run.
	 * @return the condition; {@code null} for the default
	 */
	public @Nullable UpdateCondition<? super T> updateCondition() {
		return this.values.updateCondition;
	}

	/**
	 * Returns whether a change of a primary's status alone causes a run.
	 * @return {@code true} if it causes a run
	 */
	public boolean statusTrigger() {
		return Objects.requireNonNullElseGet(this.values.statusTrigger, () -> isBuiltIn(this.values.type));
	}

	private static boolean isBuiltIn(ResourceType<?> type) {
		// This package contains exactly the classes of the official client.
		return type.objectClass().getName().startsWith("io.kubernetes.client.openapi.models.");
	}

	/**
	 * Returns the finalizer of primaries.
	 * @return the finalizer; {@code null} without a cleanup and unowned objects
	 */
	public @Nullable String finalizer() {
		return this.values.finalizer;
	}

	/**
	 * Returns the cleanup.
	 * @return the function; {@code null} if there is none
	 */
	public @Nullable ReconcileFunction<T> cleanup() {
		return this.values.cleanup;
	}

	/**
	 * Returns the maximum number of concurrent runs.
	 * @return the number
	 */
	public int concurrency() {
		return this.values.concurrency;
	}

	/**
	 * Returns the period of the resync.
	 * @return the period; zero for none
	 */
	public Duration resync() {
		return this.values.resync;
	}

	/**
	 * Returns the maximum duration of a run.
	 * @return the time
	 */
	public Duration timeout() {
		return this.values.timeout;
	}

	/**
	 * Returns the minimum time between the starts of two runs of a key.
	 * @return the time
	 */
	public Duration minInterval() {
		return this.values.minInterval;
	}

	/**
	 * Returns the time within which the caches should show the writes of runs.
	 * @return the time
	 */
	public Duration ownWritesTimeout() {
		return this.values.ownWritesTimeout;
	}

	/**
	 * Returns the backoff of failed runs.
	 * @return the backoff
	 */
	public Retry retry() {
		return this.values.retry;
	}

	/**
	 * Returns the exceptions after which a run is not retried.
	 * @return the classes
	 */
	public List<Class<? extends Throwable>> retryExcludes() {
		return this.values.retryExcludes;
	}

	/**
	 * Returns the field manager of server-side apply.
	 * @return the name
	 */
	public String fieldManager() {
		return Objects.requireNonNullElse(this.values.fieldManager, this.values.id);
	}

	/**
	 * Returns the field managers that created or updated the children before this
	 * reconciler applied them. The first apply takes over their fields, and those of the
	 * reconciler's own field manager.
	 * @return the names
	 */
	public Set<String> formerFieldManagers() {
		return this.values.formerFieldManagers;
	}

	/**
	 * Returns whether applied objects get the annotation {@value #APPLIED_ANNOTATION}.
	 * @return {@code true} if they are annotated
	 */
	public boolean appliedDigest() {
		return this.values.appliedDigest;
	}

	/**
	 * Returns how long runs may take to end when the reconciler is stopped.
	 * @return the time
	 */
	public Duration drainTimeout() {
		return this.values.drainTimeout;
	}

	/**
	 * Returns the factory for the threads of the workers.
	 * @return the factory
	 */
	public ThreadFactory threadFactory() {
		return this.values.threadFactory;
	}

	/**
	 * Returns the listeners.
	 * @return the listeners
	 */
	public List<ReconcilerListener> listeners() {
		return this.values.listeners;
	}

	@Override
	public String toString() {
		return "Reconciler '%s'".formatted(this.values.id);
	}

	/**
	 * Backoff of failed runs. The wait after the first failure is {@code delay}. Each
	 * further failure multiplies the wait by {@code multiplier}, up to {@code maxDelay}.
	 * The wait varies at random by up to the fraction {@code jitter} of itself.
	 *
	 * @param delay the wait after the first failure, at least one millisecond
	 * @param multiplier the factor by which the wait grows with each failure, at least 1
	 * @param maxDelay the longest wait, at least one millisecond
	 * @param jitter the fraction of the wait by which it varies at random, from 0 to 1
	 */
	public record Retry(Duration delay, double multiplier, Duration maxDelay, double jitter) {

		/** Shortest wait; a shorter one would keep a worker busy with a failing key. */
		private static final Duration SHORTEST = Duration.ofMillis(1);

		/**
		 * Creates the backoff.
		 * @param delay the wait after the first failure
		 * @param multiplier the factor by which the wait grows with each failure
		 * @param maxDelay the longest wait
		 * @param jitter the fraction of the wait by which it varies
		 * @throws IllegalArgumentException if a value is out of its range
		 */
		public Retry {
			atLeastShortest("Retry delay", delay);
			atLeastShortest("Longest retry delay", maxDelay);
			if (!(multiplier >= 1)) {
				throw new IllegalArgumentException("Retry multiplier '%s' must be at least 1".formatted(multiplier));
			}
			if (!(jitter >= 0 && jitter <= 1)) {
				throw new IllegalArgumentException("Retry jitter '%s' must be from 0 to 1".formatted(jitter));
			}
		}

		private static void atLeastShortest(String name, Duration delay) {
			if (delay.compareTo(SHORTEST) < 0) {
				throw new IllegalArgumentException(
						"%s '%s' must be at least %d ms".formatted(name, delay, SHORTEST.toMillis()));
			}
		}

		/**
		 * Returns the default: 200 milliseconds, doubling up to 5 minutes, with a jitter
		 * of a fifth.
		 * @return the backoff
		 */
		public static Retry defaults() {
			return new Retry(Duration.ofMillis(200), 2, Duration.ofMinutes(5), 0.2);
		}

	}

	/**
	 * Values of the settings, with their defaults.
	 *
	 * @param <T> the model class of the primary
	 */
	private static final class Values<T extends KubernetesObject> implements Cloneable {

		private final String id;

		private final ResourceType<T> type;

		private final ReconcileFunction<T> function;

		private Set<String> namespaces = Set.of();

		private @Nullable String labelSelector;

		private @Nullable String fieldSelector;

		private @Nullable Shard shard;

		private @Nullable Shards shards;

		private Set<ResourceType<?>> whole = Set.of();

		private List<OwnedResource<?>> owned = List.of();

		private List<WatchedResource<?>> watched = List.of();

		private List<UnownedResource<?>> unowned = List.of();

		/** Watched resources that contain the unowned objects. */
		private List<WatchedResource<?>> unownedSources = List.of();

		private @Nullable UpdateCondition<? super T> updateCondition;

		private @Nullable Boolean statusTrigger;

		private @Nullable String finalizer;

		private @Nullable ReconcileFunction<T> cleanup;

		private int concurrency = 4;

		private Duration resync = Duration.ofHours(10);

		private Duration timeout = Duration.ofMinutes(5);

		private Duration minInterval = Duration.ZERO;

		private Duration ownWritesTimeout = Duration.ofSeconds(10);

		private Retry retry = Retry.defaults();

		private List<Class<? extends Throwable>> retryExcludes = List.of();

		private @Nullable String fieldManager;

		private Set<String> formerFieldManagers = Set.of();

		private boolean appliedDigest = true;

		private Duration drainTimeout = Duration.ofSeconds(20);

		private ThreadFactory threadFactory = (work) -> {
			Thread thread = new Thread(work);
			thread.setDaemon(true);
			return thread;
		};

		private List<ReconcilerListener> listeners = List.of();

		private @Nullable Leadership leadership;

		private Values(String id, ResourceType<T> type, ReconcileFunction<T> function) {
			this.id = id;
			this.type = type;
			this.function = function;
		}

		@SuppressWarnings("unchecked") // A clone has the same class.
		private Values<T> copy() {
			try {
				return (Values<T>) clone();
			}
			catch (CloneNotSupportedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
