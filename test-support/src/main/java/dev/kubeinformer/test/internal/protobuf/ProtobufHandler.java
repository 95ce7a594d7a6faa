package dev.kubeinformer.test.internal.protobuf;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.resource.ApiPath;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;

/**
 * Translates answers into protobuf for clients that prefer it, if the kind has a message.
 */
public final class ProtobufHandler extends Handler.Wrapper {

	static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private final ResourceTypes types;

	public ProtobufHandler(ResourceTypes types, Handler handler) {
		super(handler);
		this.types = types;
	}

	@Override
	public boolean handle(Request request, Response response, Callback callback) throws Exception {
		return super.handle(request, isWanted(request) ? new ProtobufResponse(request, response) : response, callback);
	}

	private boolean isWanted(Request request) {
		String accept = request.getHeaders().get(HttpHeader.ACCEPT);
		if (accept == null || !accept.startsWith(PROTOBUF)) {
			return false;
		}
		// The metadata alone has a message of its own, that of custom resources too.
		String preferred = accept.split(",", 2)[0];
		return preferred.contains("as=PartialObjectMetadata") || (!preferred.contains("as=") && hasMessage(request));
	}

	private boolean hasMessage(Request request) {
		ApiPath path = ApiPath.parse(Request.getPathInContext(request));
		@Nullable ResourceDefinition type = (path != null) ? this.types.find(path.group(), path.version(), path.resource())
				: null;
		return type != null && Messages.find(type.groupVersion(), type.kind()) != null;
	}

}
