package dev.kubeinformer.test.internal.scripted;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.Map;

import org.eclipse.jetty.server.Components;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.http.Connections;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.request.ApiRequest;
import dev.kubeinformer.test.internal.resource.ApiPath;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;

/**
 * Executes the steps of a {@link Script}. While it waits for further steps, it does not
 * use a thread.
 */
final class ReplyPlayer extends IteratingCallback {

	private static final ResourceDefinition UNKNOWN = new ResourceDefinition(new GroupResource("", "unknown"), "v1",
			"Unknown", true, "");

	private final Exchange exchange;

	private final Script script;

	private final ResourceDefinition resource;

	private final Response response;

	private final Components components;

	private boolean committed;

	private boolean last;

	ReplyPlayer(Exchange exchange, Script script, ResourceTypes types, int status, Map<String, String> headers) {
		this.exchange = exchange;
		this.script = script;
		this.resource = resource(exchange.recorded(), types);
		this.components = exchange.request().getComponents();
		this.response = exchange.begin(status, Exchange.JSON);
		headers.forEach(this.response.getHeaders()::put);
	}

	private static ResourceDefinition resource(ApiRequest request, ResourceTypes types) {
		ApiPath path = ApiPath.parse(request.path());
		ResourceDefinition type = (path != null) ? types.find(path.group(), path.version(), path.resource()) : null;
		return (type != null) ? type : UNKNOWN;
	}

	void wake() {
		this.components.getExecutor().execute(this::iterate);
	}

	@Override
	protected Action process() throws EOFException {
		if (this.last) {
			return Action.SUCCEEDED;
		}
		if (!this.committed) {
			this.committed = true;
			this.response.write(false, ByteBuffer.allocate(0), this);
			return Action.SCHEDULED;
		}
		ReplyStep step = this.script.next();
		if (step == null) {
			return Action.IDLE;
		}
		take(step);
		return Action.SCHEDULED;
	}

	private void take(ReplyStep step) throws EOFException {
		if (step instanceof ReplyStep.Write write) {
			this.response.write(false, ByteBuffer.wrap(write.bytes().apply(this.resource)), this);
		}
		else if (step instanceof ReplyStep.Delay delay) {
			this.components.getScheduler().schedule(this::succeeded, delay.duration());
		}
		else if (step instanceof ReplyStep.End) {
			this.last = true;
			this.response.write(true, ByteBuffer.allocate(0), this);
		}
		else {
			throw new EOFException("The script cuts the connection");
		}
	}

	@Override
	protected void onCompleted(@Nullable Throwable cause) {
		if (cause == null) {
			this.exchange.callback().succeeded();
		}
		else {
			Connections.cut(this.exchange.request(), this.exchange.callback());
		}
	}

}
