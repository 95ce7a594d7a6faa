package dev.kubeinformer.test.internal.protobuf;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.request.MediaTypes;
import dev.kubeinformer.test.internal.request.Offer;
import dev.kubeinformer.test.internal.resource.ApiPath;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.status.RequestFailure;

/**
 * Translates responses into protobuf for clients that prefer it. Complete objects are
 * translated if their kind has a protobuf message. Responses with only the metadata of
 * objects are always translated.
 */
public final class ProtobufHandler extends Handler.Wrapper {

	private final ResourceTypes types;

	private final boolean metadataOnly;

	private final boolean compression;

	/**
	 * Creates the handler.
	 * @param types the served resources
	 * @param metadataOnly whether metadata-only objects are supported
	 * @param compression whether large responses are compressed
	 * @param handler the handler that responds in JSON
	 */
	public ProtobufHandler(ResourceTypes types, boolean metadataOnly, boolean compression, Handler handler) {
		super(handler);
		this.types = types;
		this.metadataOnly = metadataOnly;
		this.compression = compression;
	}

	@Override
	public boolean handle(Request request, Response response, Callback callback) throws Exception {
		ResourceDefinition type = type(request);
		if (type == null) {
			return super.handle(request, response, callback);
		}
		boolean whole = Messages.find(type.groupVersion(), type.kind()) != null;
		Offer offer = new Offer(this.metadataOnly, (whole) ? Offer.Protobuf.ALL : Offer.Protobuf.METADATA);
		offer.make(request::setAttribute);
		return super.handle(request,
				(isWanted(request, offer)) ? new ProtobufResponse(request, response, this.compression) : response,
				callback);
	}

	private @Nullable ResourceDefinition type(Request request) {
		ApiPath path = ApiPath.parse(Request.getPathInContext(request));
		return (path != null) ? this.types.find(path.group(), path.version(), path.resource()) : null;
	}

	private static boolean isWanted(Request request, Offer offer) {
		String accept = request.getHeaders().get(HttpHeader.ACCEPT);
		if (accept == null || !accept.contains(MediaTypes.PROTOBUF)) {
			return false;
		}
		try {
			return MediaTypes.negotiate(accept, false, false, offer).protobuf();
		}
		catch (RequestFailure ex) {
			// Ignore it: the endpoint will reject the request with the same failure.
			return false;
		}
	}

}
