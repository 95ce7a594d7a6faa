package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.net.HttpURLConnection;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.ListItems;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.failure.ApiStatusException;
import dev.kubeinformer.resource.ResourceType;

/**
 * Connection that looks the resource up by discovery: before its first request, after a
 * response that the resource is unknown, and before each full list, because the kind may
 * have changed. If discovery fails, the request is sent anyway: its response shows
 * whether the resource exists, and discovery only explains why it does not.
 *
 * @param <T> the model class
 */
public final class DiscoveringConnection<T extends KubernetesObject> implements ApiConnection<T> {

	private final OkHttpApiConnection<T> connection;

	private final Codecs<T> codecs;

	private final ResourceDiscovery discovery;

	/** Kind that the model declares; empty if only the server knows it. */
	private final String ownKind;

	/** Result of discovery; {@code null} if there is none yet or it is outdated. */
	private ResourceDiscovery.@Nullable Found found;

	/** Whether the previous attempt failed at discovery. */
	private boolean unanswered;

	/**
	 * Creates the connection, without connecting yet.
	 * @param connection sends the requests
	 * @param type the resource
	 * @param selection the selected objects
	 * @param mappers the JSON mappers for discovery documents
	 * @param codecs the codecs of the requests
	 */
	public DiscoveringConnection(OkHttpApiConnection<T> connection, ResourceType<T> type, Selection selection,
			JsonMappers mappers, Codecs<T> codecs) {
		this.connection = connection;
		this.codecs = codecs;
		this.ownKind = type.kind();
		this.discovery = new ResourceDiscovery(type, selection.namespace(), mappers, connection::discover);
	}

	@Override
	public ListHeader list(ListRequest request, ListItems<T> items) throws IOException {
		if (request.continueToken().isEmpty()) {
			forgetKind();
		}
		return send(() -> this.connection.list(request, items));
	}

	@Override
	public String probe() throws IOException {
		return send(this.connection::probe);
	}

	@Override
	public WatchStream<T> watch(WatchRequest request) throws IOException {
		if (request.initialEvents()) {
			forgetKind();
		}
		return send(() -> this.connection.watch(request));
	}

	private void forgetKind() {
		// A CustomResourceDefinition may be replaced by one with another kind without any
		// request getting a 404. While the kind is unknown, no object is dropped because
		// of its kind.
		ResourceDiscovery.Found known = this.found;
		if (known != null && this.ownKind.isEmpty() && !known.kind().isEmpty()) {
			this.found = null;
		}
	}

	private <R> R send(Request<R> request) throws IOException {
		ResourceDiscovery.Found resource = this.found;
		if (resource == null) {
			resource = this.unanswered ? this.discovery.unknown() : discover();
			this.codecs.discovered(resource.kind().isEmpty() ? this.ownKind : resource.kind());
			this.found = this.unanswered ? null : resource;
			this.unanswered = false;
		}
		try {
			R answer = request.send();
			this.found = resource;
			return answer;
		}
		catch (ApiStatusException ex) {
			ApiStatus status = ex.getStatus();
			if (status.code() != HttpURLConnection.HTTP_NOT_FOUND
					&& status.code() != HttpURLConnection.HTTP_BAD_METHOD) {
				throw ex;
			}
			// The resource may exist, or have changed, by the next request.
			this.found = null;
			throw new ApiStatusException(status, resource.advice());
		}
	}

	private ResourceDiscovery.Found discover() throws IOException {
		try {
			return this.discovery.discover();
		}
		catch (ApiStatusException ex) {
			if (ex.getStatus().code() == HttpURLConnection.HTTP_UNAUTHORIZED) {
				throw ex;
			}
			return this.discovery.unknown();
		}
		catch (MalformedResponseException ex) {
			// A proxy that does not know discovery may have responded.
			return this.discovery.unknown();
		}
		catch (IOException ex) {
			// The next attempt shows whether all requests fail, or only the requests of
			// discovery.
			this.unanswered = true;
			throw ex;
		}
	}

	@Override
	public void hasten(@Nullable Haste haste) {
		this.connection.hasten(haste);
	}

	@Override
	public void recall() {
		this.connection.recall();
	}

	@Override
	public void endWatch() {
		this.connection.endWatch();
	}

	@Override
	public void avoidProtobuf() {
		this.connection.avoidProtobuf();
	}

	@Override
	public void forgetParts() {
		this.connection.forgetParts();
	}

	@Override
	public void close() {
		this.connection.close();
	}

	/**
	 * Sends a request.
	 *
	 * @param <R> the result
	 */
	@FunctionalInterface
	private interface Request<R> {

		R send() throws IOException;

	}

}
