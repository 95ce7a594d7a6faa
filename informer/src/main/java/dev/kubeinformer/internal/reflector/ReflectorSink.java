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
 * Receiver of what a reflector learns. Called by the reflector's thread, unless a method
 * says otherwise.
 *
 * @param <T> the model class
 */
public interface ReflectorSink<T> {

	/**
	 * Begins a full state, which replaces one that was begun before.
	 * @param compareContent whether equal versions prove nothing
	 * @return the objects that need not be decoded, nor given to
	 * {@link #replace(List, Listing)}; {@code null} if all have to be
	 */
	@Nullable KnownObjects begin(boolean compareContent);

	/**
	 * Looks at an object of a list that is being read. What is cached already is not kept
	 * twice until the list is complete.
	 * @param object the object
	 * @param compareContent whether equal versions prove nothing
	 * @return what to keep of it for {@link #replace(List, Listing)}
	 */
	DecodedObject<T> listed(DecodedObject<T> object, boolean compareContent);

	/**
	 * Reports that a list that is being read brought an object of another shard, which
	 * was dropped.
	 */
	void foreign();

	/**
	 * Takes a complete list: the one that was begun last. Other reflectors wait for the
	 * caller: listeners are not notified of the list before {@link #notifyListeners()}.
	 * @param objects the objects beside those that were known, readable or not; the list
	 * is the sink's from then on
	 * @param listing what else is known of it
	 * @return {@code true} if the list differed from what was cached
	 */
	boolean replace(List<DecodedObject<T>> objects, Listing listing);

	/**
	 * Notifies listeners of what they were not notified of yet. Called by any thread,
	 * while nobody waits for it.
	 */
	void notifyListeners();

	/**
	 * Reports that a list was older than what the server showed before.
	 * @param resourceVersion the version of the list
	 * @param newestSeen the version that was seen before
	 */
	void regressed(String resourceVersion, String newestSeen);

	/**
	 * Takes an addition, change or deletion, also of an object of another shard.
	 * @param frame the event
	 * @param resourceVersion the version of the cache after it
	 */
	void apply(WatchFrame<T> frame, String resourceVersion);

	/**
	 * Takes a bookmark.
	 * @param resourceVersion the version of the cache
	 */
	void advance(String resourceVersion);

	/**
	 * Reports that bytes arrived on the watch.
	 */
	void alive();

	/**
	 * Publishes what the reflector is doing now. Called by any thread, one at a time, and
	 * followed by {@link #notifyListeners()}.
	 * @param condition the condition
	 */
	void condition(InformerState condition);

	/**
	 * Reports that a watch is open.
	 */
	void watchStarted();

	/**
	 * Reports that a watch ended or could not be opened.
	 * @param cause why
	 * @param lived how long it was open
	 */
	void watchEnded(WatchEndReason cause, Duration lived);

	/**
	 * Reports that lists are read in pages instead of streams.
	 * @param httpStatus the status with which a server without streaming lists answered;
	 * {@code null} if the initial events of a stream did not end in time
	 */
	void fellBack(@Nullable Integer httpStatus);

	/**
	 * Reports that a request failed.
	 * @param verb {@code list} or {@code watch}
	 * @param failure what went wrong
	 * @param next what comes next, for people; {@code null} if nothing does
	 * @param duration the time since the request
	 */
	void failed(String verb, Failure failure, @Nullable String next, Duration duration);

}
