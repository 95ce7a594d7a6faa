package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.WatchEndReason;

/**
 * Receives the lists, events and states of a reflector. Called by the reflector's thread,
 * unless a method says otherwise.
 *
 * @param <T> the model class
 */
public interface ReflectorSink<T> {

	/**
	 * Begins a list of all objects. If the previous list was not finished, it is
	 * discarded.
	 * @param compareContent whether objects are compared by their content, because an
	 * equal version does not prove that an object is unchanged
	 * @return the objects that need not be decoded and are not passed to
	 * {@link #replace(List, Listing)}; {@code null} to decode every object
	 */
	@Nullable KnownObjects begin(boolean compareContent);

	/**
	 * Filters an object of the list in progress. If the object is cached, it need not be
	 * kept a second time until the list is complete.
	 * @param object the object
	 * @param compareContent whether objects are compared by their content, because an
	 * equal version does not prove that an object is unchanged
	 * @return the part of the object that must be kept for
	 * {@link #replace(List, Listing)}
	 */
	DecodedObject<T> listed(DecodedObject<T> object, boolean compareContent);

	/**
	 * Reports that the list in progress contained an object of another shard, which was
	 * dropped.
	 */
	void foreign();

	/**
	 * Receives the complete list that was begun last. Other reflectors wait while this
	 * method runs. Therefore it does not notify the listeners; {@link #notifyListeners()}
	 * does.
	 * @param objects the listed objects, including unreadable ones, but without those
	 * that {@link #begin(boolean)} returned as known; the sink owns this list from now on
	 * @param listing the other facts about the list
	 * @return {@code true} if the list differed from the cache
	 */
	boolean replace(List<DecodedObject<T>> objects, Listing listing);

	/**
	 * Receives a complete list of the objects in gained shard slots, which another thread
	 * has read. Objects in other slots do not change.
	 * @param objects the listed objects, including unreadable ones; the sink owns this
	 * list from now on
	 * @param listing the other facts about the list
	 * @param foreign the number of objects of other slots that were dropped
	 */
	default void gained(List<DecodedObject<T>> objects, Listing listing, long foreign) {
	}

	/**
	 * Notes that this process does not hold a shard slot, so that an empty cache is
	 * complete.
	 */
	default void nothingHeld() {
	}

	/**
	 * Notifies listeners of all changes since the last notification. Called by any
	 * thread, but only while no other thread waits for that thread.
	 */
	void notifyListeners();

	/**
	 * Reports that a list was older than a state that the server showed before.
	 * @param resourceVersion the version of the list
	 * @param newestSeen the newest version that was seen before
	 */
	void regressed(String resourceVersion, String newestSeen);

	/**
	 * Receives an addition, change or deletion, also of an object of another shard.
	 * @param frame the event
	 * @param resourceVersion the version of the cache after the event
	 */
	void apply(WatchFrame<T> frame, String resourceVersion);

	/**
	 * Receives a bookmark.
	 * @param resourceVersion the version of the cache
	 */
	void advance(String resourceVersion);

	/**
	 * Reports that bytes arrived on the watch.
	 */
	void alive();

	/**
	 * Publishes the current state of the informer. Called by any thread, one at a time,
	 * and followed by {@link #notifyListeners()}.
	 * @param condition the condition
	 */
	void condition(InformerState condition);

	/**
	 * Reports that a watch is open.
	 */
	void watchStarted();

	/**
	 * Reports that a watch ended or could not be opened.
	 * @param cause the reason
	 * @param lived the time for which the watch was open
	 */
	void watchEnded(WatchEndReason cause, Duration lived);

	/**
	 * Reports that lists are read in pages instead of streams.
	 * @param httpStatus the status with which a server without streaming lists responded;
	 * {@code null} if the initial events of a stream did not end in time
	 */
	void fellBack(@Nullable Integer httpStatus);

	/**
	 * Reports that a request failed.
	 * @param verb {@code list} or {@code watch}
	 * @param failure the failure
	 * @param next the next step, for messages; {@code null} if there is none
	 * @param duration the time since the request
	 */
	void failed(String verb, Failure failure, @Nullable String next, Duration duration);

}
