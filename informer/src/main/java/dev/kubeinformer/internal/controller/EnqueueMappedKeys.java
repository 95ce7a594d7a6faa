package dev.kubeinformer.internal.controller;

import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.UpdateCondition;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.internal.workqueue.KeyCause;
import dev.kubeinformer.internal.workqueue.KeyFeed;
import dev.kubeinformer.types.ObjectKey;

/**
 * Creates event handlers that queue keys of a reconciler. They ask functions of the
 * application which keys a change concerns. If such a function throws an exception, its
 * message is dropped, because it may quote an object.
 */
final class EnqueueMappedKeys {

	private EnqueueMappedKeys() {
	}

	/**
	 * Returns a handler that queues the keys to which a function maps the old and the new
	 * state of an object.
	 * @param <C> the model class
	 * @param mapper maps an object to keys
	 * @param feed the queue
	 * @param function records failures of the mapper
	 * @return the handler
	 */
	static <C extends KubernetesObject> EventHandler<C> of(WatchedResource.Mapper<C> mapper, KeyFeed feed,
			UserFunction function) {
		return (event) -> {
			QueueLane lane = event.initial() ? QueueLane.INITIAL : QueueLane.LIVE;
			C before = event.oldObject();
			boolean gone = event.type() == ResourceEvent.Type.DELETE;
			KeyCause cause = gone ? KeyCause.of(event.object(), null) : KeyCause.of(before, event.object());
			queue(mapper, event.object(), feed, lane, cause, function);
			if (before != null) {
				queue(mapper, before, feed, lane, cause, function);
			}
		};
	}

	private static <C extends KubernetesObject> void queue(WatchedResource.Mapper<C> mapper, C object, KeyFeed feed,
			QueueLane lane, KeyCause cause, UserFunction function) throws FunctionFailedException {
		try (Stream<ObjectKey> keys = mapper.map(object)) {
			keys.forEach((key) -> feed.changed(key, lane, cause));
		}
		catch (Throwable ex) {
			function.failed(ex);
			throw new FunctionFailedException("The mapping of watched objects", ex);
		}
	}

	/**
	 * Returns a handler that queues the key of an updated object if a condition holds.
	 * @param <T> the model class
	 * @param condition the condition
	 * @param feed the queue
	 * @param function records failures of the condition
	 * @return the handler
	 */
	static <T extends KubernetesObject> EventHandler<T> when(UpdateCondition<? super T> condition, KeyFeed feed,
			UserFunction function) {
		return (event) -> {
			T before = event.oldObject();
			if (before != null && !event.resync() && test(condition, before, event.object(), function)) {
				feed.changed(ObjectKey.of(event.object()), event.initial() ? QueueLane.INITIAL : QueueLane.LIVE,
						KeyCause.of(before, event.object()));
			}
		};
	}

	private static <T extends KubernetesObject> boolean test(UpdateCondition<? super T> condition, T before, T after,
			UserFunction function) throws FunctionFailedException {
		try {
			return condition.test(before, after);
		}
		catch (Throwable ex) {
			function.failed(ex);
			throw new FunctionFailedException("The condition of updates", ex);
		}
	}

	/** Failure of a user function. */
	static final class FunctionFailedException extends Exception {

		private static final long serialVersionUID = 1L;

		FunctionFailedException(String function, Throwable failure) {
			super("%s failed with %s".formatted(function, failure.getClass().getName()));
			StackTraceElement @Nullable [] trace = failure.getStackTrace();
			if (trace != null) {
				setStackTrace(trace);
			}
		}

	}

}
