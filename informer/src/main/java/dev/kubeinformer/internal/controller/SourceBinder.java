package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.model.ModelContent;
import dev.kubeinformer.internal.dispatch.ResyncSchedule;
import dev.kubeinformer.internal.informer.SharedInformer;
import dev.kubeinformer.internal.overlay.WriteOverlay;
import dev.kubeinformer.internal.reconcile.CachedSources;
import dev.kubeinformer.internal.reconcile.EnqueueOwner;
import dev.kubeinformer.internal.reconcile.EnqueuePrimary;
import dev.kubeinformer.internal.reconcile.FinalizerWrites;
import dev.kubeinformer.internal.reconcile.LoopDetector;
import dev.kubeinformer.internal.reconcile.OwnWriteSource;
import dev.kubeinformer.internal.reconcile.OwnWrites;
import dev.kubeinformer.internal.reconcile.OwnedSource;
import dev.kubeinformer.internal.reconcile.OwnerReferences;
import dev.kubeinformer.internal.reconcile.ReconcileRunner;
import dev.kubeinformer.internal.reconcile.ReconcilerWriter;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.slots.ObjectShare;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.workqueue.ReconcileLoop;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spi.LabelSelector;
import dev.kubeinformer.types.Shard;

/**
 * Connects the sources of a reconciler with its queue, and its runs with the caches that
 * they read and write.
 *
 * @param <T> the model class of the primary
 */
final class SourceBinder<T extends KubernetesObject> {

	private final ReconcilerSpec<T> spec;

	private final ControllerContext context;

	private final LoopDetector detector;

	private final ReconcileLoop loop;

	private final OwnerReferences references;

	private final List<OwnWriteSource<?>> shown = new ArrayList<>();

	SourceBinder(ReconcilerSpec<T> spec, ControllerContext context, ReconcileLoop loop, ObjectStore<T> primaries,
			LoopDetector.Report report) {
		this.spec = spec;
		this.context = context;
		this.detector = new LoopDetector(spec, context.ownVersions(), context.clocks().nanoTime(), report);
		this.loop = loop;
		this.references = new OwnerReferences(context.cluster().qualify(spec.id()), spec.type(), primaries(spec),
				(key) -> primaries.snapshot().find(key.namespace(), key.name()) != null
						|| primaries.snapshot().unreadable(key) != null);
	}

	private static ObjectShare primaries(ReconcilerSpec<?> spec) {
		Shards shards = spec.shards();
		Shard shard = spec.shard();
		return (shards != null) ? ObjectShare.of(shards.division(), shards::owns)
				: (shard != null) ? ObjectShare.of(shard) : ObjectShare.ALL;
	}

	/**
	 * Adds a source whose cache shows the writes of runs.
	 * @param <C> the model class
	 * @param source the source
	 * @return its cache with the writes of runs
	 */
	<C extends KubernetesObject> WriteOverlay<C> shows(ControllerSource<C> source) {
		InformerSpec<C> informer = source.informer().spec();
		String labels = informer.labelSelector();
		Predicate<@Nullable Map<String, String>> selector = (labels != null) ? LabelSelector.parse(labels)
				: (any) -> true;
		WriteOverlay<C> overlay = CachedSources.overlay(source.store(), this.context.clocks().nanoTime());
		this.shown.add(new OwnWriteSource<>(informer.type(), overlay,
				new OwnWriteSource.Selection(selector, informer.fieldSelector() != null, source.share()),
				isRead(source), (answer) -> prepared(source.informer(), answer)));
		return overlay;
	}

	private boolean isRead(ControllerSource<?> source) {
		WatchedResource<?> watched = source.watched();
		return watched == null || this.spec.isUnowned(watched);
	}

	private <C extends KubernetesObject> DecodedObject<C> prepared(SharedInformer<C> informer, C answer) {
		InformerRuntime runtime = this.context.link().current();
		boolean kept = runtime != null && runtime.decoding().apply(informer.spec().type()).managedFields();
		if (kept && !this.context.json().mappers().keepsManagedFields()) {
			return new DecodedObject<>(new ObjectMetadata("", "", "", ""), null, "The response has no managedFields");
		}
		return informer.prepare(answer);
	}

	<C extends KubernetesObject> OwnedSource<C> owned(OwnedResource<C> owned, WriteOverlay<C> cache) {
		return new OwnedSource<>(owned.type(), cache, this.references, owned.controllerOnly());
	}

	/**
	 * Returns a sink that feeds the queue with the keys of owners.
	 * @param <C> the model class
	 * @param owned the owned resource
	 * @return a new sink
	 */
	<C extends KubernetesObject> EnqueueOwner<C> owners(OwnedResource<C> owned) {
		return OwnedSource.sink(this.loop, this.references, owned.controllerOnly());
	}

	/**
	 * Connects the source of the primary to the queue. Existing objects are queued behind
	 * changes.
	 * @param source the source
	 * @param timer the timer of the resync
	 */
	void connectPrimary(ControllerSource<T> source, ScheduledExecutorService timer) {
		EnqueuePrimary.Trigger trigger = trigger();
		if (trigger == EnqueuePrimary.Trigger.CONTENT) {
			source.store().compareContent(ModelContent::sameApartFromStatus);
		}
		EnqueuePrimary<T> sink = new EnqueuePrimary<>(this.loop, trigger);
		source.connect(sink);
		// Queue the keys without the store's lock; the sink receives all changes from now
		// on.
		source.store().keys().forEach((key) -> this.loop.changed(key, QueueLane.INITIAL));
		source.store().unreadableKeys().forEach((key) -> this.loop.changed(key, QueueLane.INITIAL));
		this.loop.retryGivenUp();
		if (!this.spec.resync().isZero()) {
			ResyncSchedule<T> resync = new ResyncSchedule<>(source.store(), sink, this.spec.resync(), timer,
					this.context.clocks().nanoTime());
			source.whenDetached(resync::cancel);
		}
	}

	private EnqueuePrimary.Trigger trigger() {
		if (this.spec.updateCondition() != null) {
			return EnqueuePrimary.Trigger.NONE;
		}
		return this.spec.statusTrigger() ? EnqueuePrimary.Trigger.ALL : EnqueuePrimary.Trigger.CONTENT;
	}

	/**
	 * Creates the runner of the keys.
	 * @param writers provides the writing facilities of each run
	 * @param caches the content that runs read
	 * @param finalizers manages the finalizer; {@code null} without a cleanup
	 * @return the runner
	 */
	ReconcileRunner<T> runner(Supplier<ReconcilerWriter<T>> writers, CachedSources<T> caches,
			@Nullable FinalizerWrites<T> finalizers) {
		LongSupplier nanoTime = this.context.clocks().nanoTime();
		Duration kept = Durations.countable(this.spec.timeout())
			.plus(Durations.countable(this.spec.ownWritesTimeout()).multipliedBy(2));
		OwnWrites ownWrites = new OwnWrites(this.shown, this.context.ownVersions(), kept, nanoTime);
		return new ReconcileRunner<>(writers, caches, ownWrites, this.detector, this.context.writeRecorder(),
				finalizers, this.spec.shards());
	}

}
