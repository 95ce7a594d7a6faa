package dev.kubeinformer.test.internal.garbage;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.write.Deletion;
import dev.kubeinformer.test.internal.write.StoredObjects;

/**
 * Deletes objects whose owners were deleted. Each write of any object starts a run on a
 * thread of the executor. Between the runs, no thread is used.
 */
public final class GarbageCollector {

	private static final Logger logger = LoggerFactory.getLogger(GarbageCollector.class);

	private final RevisionLog log;

	private final GraphUpdates updates;

	private final ItemCollector items;

	private final Executor executor;

	private final Consumer<GroupResource> listener = this::wake;

	private final Set<GroupResource> changed = ConcurrentHashMap.newKeySet();

	private final AtomicInteger wakes = new AtomicInteger();

	private volatile boolean stopped;

	private GarbageCollector(RevisionLog log, ResourceTypes types, StoredObjects store, Deletion deletion,
			Executor executor) {
		OwnerGraph graph = new OwnerGraph();
		this.log = log;
		this.updates = new GraphUpdates(log, graph);
		this.items = new ItemCollector(log, types, store, deletion, graph, this.updates);
		this.executor = executor;
	}

	/**
	 * Starts a garbage collector.
	 * @param log the storage
	 * @param types the resources that are served
	 * @param store writes objects
	 * @param deletion deletes objects
	 * @param executor runs the garbage collector
	 * @return the garbage collector, to be stopped by the caller
	 */
	public static GarbageCollector start(RevisionLog log, ResourceTypes types, StoredObjects store, Deletion deletion,
			Executor executor) {
		GarbageCollector collector = new GarbageCollector(log, types, store, deletion, executor);
		log.addListener(collector.listener);
		log.resources().forEach(collector::wake);
		return collector;
	}

	// Stops the garbage collector. An object that is being processed may still be
	// deleted.
	public void stop() {
		this.stopped = true;
		this.log.removeListener(this.listener);
	}

	private void wake(GroupResource resource) {
		this.changed.add(resource);
		if (this.wakes.getAndIncrement() > 0) {
			return;
		}
		try {
			this.executor.execute(this::work);
		}
		catch (RejectedExecutionException ex) {
			// The server is being closed, so its objects need no garbage collection.
			logger.debug("The garbage collector is not run any more", ex);
		}
	}

	// Runs on one thread at a time. A concurrent wake-up makes this thread continue.
	private void work() {
		int seen = this.wakes.get();
		while (seen > 0) {
			follow();
			String uid = this.updates.next();
			while (uid != null && !this.stopped) {
				collect(uid);
				follow();
				uid = this.updates.next();
			}
			seen = this.wakes.addAndGet(-seen);
		}
	}

	// Reads the updates of all resources. The graph must contain all dependents of an
	// object before the object is processed.
	private void follow() {
		while (!this.changed.isEmpty()) {
			for (GroupResource resource : this.changed) {
				this.changed.remove(resource);
				this.updates.follow(resource);
			}
		}
	}

	private void collect(String uid) {
		try {
			this.items.collect(uid);
		}
		catch (RequestFailure ex) {
			if (ex.code() == 409) {
				// The object has changed since it was read.
				this.updates.add(uid);
			}
			else if (ex.code() != 404) {
				logger.warn("The garbage collector may not change object '{}'", uid, ex);
			}
		}
		catch (RuntimeException ex) {
			logger.error("The garbage collector failed at object '{}'", uid, ex);
		}
	}

}
