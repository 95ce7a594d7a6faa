package dev.kubeinformer.internal.transport;

import java.io.Closeable;
import java.io.IOException;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.failure.ApiStatusException;

/**
 * Requests that a reflector makes. One request at a time; {@link #close()} aborts the one
 * under way, from any thread.
 *
 * @param <T> the model class
 */
public interface ApiConnection<T extends KubernetesObject> extends Closeable {

	/**
	 * Reads a page of a list.
	 * @param request the request
	 * @param items receives each item that it does not know, as it arrives
	 * @return what the page says beside its items
	 * @throws ApiStatusException if the server answers with an error
	 * @throws IOException if there is no complete answer
	 */
	ListHeader list(ListRequest request, ListItems<T> items) throws IOException;

	/**
	 * Asks for the version of the server, and for nothing else.
	 * @return the most recent version; empty if the server has none
	 * @throws ApiStatusException if the server answers with an error
	 * @throws IOException if there is no complete answer
	 */
	String probe() throws IOException;

	/**
	 * Opens a watch.
	 * @param request the request
	 * @return the open stream
	 * @throws ApiStatusException if the server answers with an error
	 * @throws IOException if there is no answer
	 */
	WatchStream<T> watch(WatchRequest request) throws IOException;

	/**
	 * Sets the deadlines of the next request.
	 * @param haste the deadlines; {@code null} for the usual ones
	 */
	default void hasten(@Nullable Haste haste) {
	}

	/**
	 * Cancels the request under way, from any thread, unless its answer has begun. Later
	 * requests are not affected.
	 */
	default void recall() {
	}

	/**
	 * Does not ask for protobuf for a while: what came of it could not be read.
	 */
	void avoidProtobuf();

	/**
	 * Drops the parts of objects that were read: those of the next requests share nothing
	 * with them, whatever user code has made of them.
	 */
	void forgetParts();

	/**
	 * Aborts the request under way and refuses further ones.
	 */
	@Override
	void close();

}
