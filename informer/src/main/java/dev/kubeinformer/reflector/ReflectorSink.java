package dev.kubeinformer.reflector;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.codec.DecodedObject;
import dev.kubeinformer.codec.WatchFrame;

/**
 * Receives what a reflector learns. Called by the reflector's thread only.
 *
 * @param <T> the model class
 */
public interface ReflectorSink<T> {

	/**
	 * Takes a complete list.
	 * @param objects the objects, readable or not
	 * @param resourceVersion the version of the list
	 * @param compareContent whether equal versions prove nothing, because the list is
	 * older than what was seen before and authoritative all the same, or because it was
	 * asked for to find damage
	 */
	void replace(List<DecodedObject<T>> objects, String resourceVersion, boolean compareContent);

	/**
	 * Is told that a list was older than what the server showed before.
	 * @param resourceVersion the version of the list
	 * @param newestSeen the version that was seen before
	 */
	void regressed(String resourceVersion, String newestSeen);

	/**
	 * Takes an addition, change or deletion.
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
	 * Is told that bytes arrived on the watch.
	 */
	void alive();

	/**
	 * Is told what the reflector is doing now.
	 * @param condition the condition
	 */
	void condition(Condition condition);

	/**
	 * Is told that a request failed.
	 * @param verb {@code list} or {@code watch}
	 * @param failure what went wrong
	 * @param next what comes next, for people; {@code null} if nothing does
	 */
	void failed(String verb, Failure failure, @Nullable String next);

}
