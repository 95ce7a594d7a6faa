package dev.kubeinformer.internal.transport;

import java.io.Closeable;
import java.io.IOException;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.failure.ApiStatusException;

/**
 * Sends the requests of a reflector, one at a time. Any thread may call {@link #close()},
 * which aborts the current request.
 *
 * @param <T> the model class
 */
public interface ApiConnection<T extends KubernetesObject> extends Closeable {

	/**
	 * Reads a page of a list.
	 * @param request the request
	 * @param items receives the items as they arrive, except those that it knows already
	 * @return the page without its items
	 * @throws ApiStatusException if the server responds with an error
	 * @throws IOException if there is no complete response
	 */
	ListHeader list(ListRequest request, ListItems<T> items) throws IOException;

	/**
	 * Requests only the version of the server.
	 * @return the most recent version; empty if the server has none
	 * @throws ApiStatusException if the server responds with an error
	 * @throws IOException if there is no complete response
	 */
	String probe() throws IOException;

	/**
	 * Opens a watch.
	 * @param request the request
	 * @return the open stream
	 * @throws ApiStatusException if the server responds with an error
	 * @throws IOException if there is no response
	 */
	WatchStream<T> watch(WatchRequest request) throws IOException;

	/**
	 * Sets the deadlines of the next request.
	 * @param haste the shorter deadlines; {@code null} for the usual ones
	 */
	default void hasten(@Nullable Haste haste) {
	}

	/**
	 * Cancels the current request unless its response has begun. Later requests are not
	 * affected. Any thread may call this method.
	 */
	default void recall() {
	}

	/**
	 * Makes the open watch fail. Later requests are not affected. Any thread may call
	 * this method.
	 */
	default void endWatch() {
	}

	/** Stops requesting protobuf for a while, because a response could not be read. */
	void avoidProtobuf();

	/**
	 * Forgets the values that objects share, because user code may have changed them.
	 * Objects that are read later share nothing with earlier ones.
	 */
	void forgetParts();

	/** Aborts the current request and rejects further ones. */
	@Override
	void close();

}
