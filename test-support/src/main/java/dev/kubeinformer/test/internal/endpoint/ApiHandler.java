package dev.kubeinformer.test.internal.endpoint;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.access.Access;
import dev.kubeinformer.test.internal.access.User;
import dev.kubeinformer.test.internal.discovery.AggregatedDiscovery;
import dev.kubeinformer.test.internal.discovery.Discovery;
import dev.kubeinformer.test.internal.discovery.Health;
import dev.kubeinformer.test.internal.discovery.OpenApi;
import dev.kubeinformer.test.internal.fault.FaultRules;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.list.ListEndpoint;
import dev.kubeinformer.test.internal.request.MediaTypes;
import dev.kubeinformer.test.internal.request.Offer;
import dev.kubeinformer.test.internal.request.Representation;
import dev.kubeinformer.test.internal.request.RequestLog;
import dev.kubeinformer.test.internal.resource.ApiPath;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.resource.Subresources;
import dev.kubeinformer.test.internal.review.SelfReviews;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.watch.WatchEndpoint;
import dev.kubeinformer.test.internal.write.Namespaces;

/**
 * Handles each request: applies a fault that hits it, parses its path, and calls the
 * endpoint of its verb.
 */
public final class ApiHandler extends Handler.Abstract {

	private static final Logger logger = LoggerFactory.getLogger(ApiHandler.class);

	private final ResourceTypes types;

	private final Discovery discovery;

	private final AggregatedDiscovery aggregated;

	private final OpenApi openApi;

	private final Access access;

	private final FaultRules faults;

	private final RequestLog log;

	private final ObjectEndpoint objects;

	private final ListEndpoint lists;

	private final WatchEndpoint watches;

	private final Offer offer;

	public ApiHandler(ResourceTypes types, Access access, FaultRules faults, RequestLog log, ObjectEndpoint objects,
			ListEndpoint lists, WatchEndpoint watches, Offer offer) {
		this.types = types;
		this.discovery = new Discovery(types);
		this.aggregated = new AggregatedDiscovery(types);
		this.openApi = new OpenApi(types);
		this.access = access;
		this.faults = faults;
		this.log = log;
		this.objects = objects;
		this.lists = lists;
		this.watches = watches;
		this.offer = offer;
	}

	@Override
	public boolean handle(Request request, Response response, Callback callback) {
		Exchange exchange = new Exchange(request, response, callback, this.log);
		guarded(exchange, () -> this.faults.answer(exchange, () -> guarded(exchange, () -> answer(exchange))));
		return true;
	}

	// Responds with an error if an action fails. Each action needs its own call, because
	// a fault may run it later on another thread.
	private static void guarded(Exchange exchange, Runnable action) {
		try {
			action.run();
		}
		catch (RequestFailure ex) {
			exchange.fail(ex);
		}
		catch (RuntimeException ex) {
			logger.error("The embedded API failed to respond to {}", exchange.recorded(), ex);
			exchange.fail(Statuses.of(500, "Internal error occurred: " + ex));
		}
	}

	private void answer(Exchange exchange) {
		String path = exchange.recorded().path();
		User user = this.access.check(exchange.recorded());
		exchange.identify(user);
		if (describe(exchange, path)) {
			return;
		}
		if (SelfReviews.isAt(path)) {
			SelfReviews.answer(exchange, user);
			return;
		}
		ApiPath parsed = ApiPath.parse(path);
		ResourceDefinition type = (parsed != null)
				? this.types.find(parsed.group(), parsed.version(), parsed.resource()) : null;
		if (parsed == null || type == null || !isServed(parsed, type)) {
			if (parsed != null && type != null && type.isCustom() && parsed.subresource() != null) {
				throw Statuses.notFound(type.resource(), (parsed.name() != null) ? parsed.name() : "");
			}
			unknown(exchange, path);
			return;
		}
		String namespace = (parsed.namespace() != null) ? parsed.namespace() : "";
		if (parsed.name() == null) {
			onCollection(exchange, type, namespace);
		}
		else {
			onObject(exchange, type, new ObjectKey(namespace, parsed.name()));
		}
	}

	// For paths outside of API groups, kube-apiserver does not respond with a Status.
	private void unknown(Exchange exchange, String path) {
		String[] segments = path.split("/");
		boolean inGroup = path.startsWith("/api/")
				|| (path.startsWith("/apis/") && segments.length > 2 && this.types.groups().contains(segments[2]));
		if (inGroup) {
			throw Statuses.unknownPath();
		}
		exchange.text(404, "404 page not found\n");
	}

	// Responds to requests for the server's own documents.
	private boolean describe(Exchange exchange, String path) {
		if (Health.isAt(path)) {
			Health.answer(exchange);
			return true;
		}
		if (OpenApi.isAt(path)) {
			this.openApi.answer(exchange);
			return true;
		}
		boolean groups = AggregatedDiscovery.isAt(path);
		Representation wanted = MediaTypes.negotiate(exchange.header(HttpHeader.ACCEPT), groups,
				exchange.recorded().isWatch(), offer(exchange));
		exchange.represent(wanted);
		if (wanted.form() == Representation.Form.DISCOVERY) {
			this.aggregated.answer(exchange);
			return true;
		}
		ObjectNode document = this.discovery.find(path, exchange.header(HttpHeader.HOST));
		if (document != null) {
			exchange.json(200, document);
		}
		return document != null;
	}

	private Offer offer(Exchange exchange) {
		Offer made = Offer.of(exchange.request()::getAttribute);
		return (made != null) ? made : this.offer;
	}

	private static boolean isServed(ApiPath path, ResourceDefinition type) {
		boolean scope = (type.namespaced()) ? path.namespace() != null || path.name() == null
				: path.namespace() == null;
		return scope && (path.subresource() == null || Subresources.isServed(type, path.subresource()));
	}

	private void onCollection(Exchange exchange, ResourceDefinition type, String namespace) {
		boolean creatable = type.namespaced() != namespace.isEmpty();
		switch (exchange.recorded().method()) {
			case "GET" -> {
				if (exchange.recorded().isWatch()) {
					this.watches.watch(exchange, type, namespace);
				}
				else {
					this.lists.list(exchange, type, namespace);
				}
			}
			case "POST" -> {
				if (!creatable) {
					throw Statuses.methodNotAllowed("");
				}
				this.objects.create(exchange, type, namespace);
			}
			case "DELETE" -> {
				if (!creatable || Namespaces.isNamespace(type)) {
					throw Statuses.methodNotAllowed("");
				}
				this.objects.deleteCollection(exchange, type, namespace, this.lists);
			}
			default -> throw Statuses.methodNotAllowed("");
		}
	}

	private void onObject(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		switch (exchange.recorded().method()) {
			case "GET" -> this.objects.get(exchange, type, key);
			case "PUT" -> this.objects.update(exchange, type, key);
			case "PATCH" -> this.objects.patch(exchange, type, key);
			case "DELETE" -> {
				if (isSubresource(exchange)) {
					throw Statuses.methodNotAllowed("");
				}
				this.objects.delete(exchange, type, key);
			}
			default -> throw Statuses.methodNotAllowed("");
		}
	}

	private static boolean isSubresource(Exchange exchange) {
		ApiPath path = ApiPath.parse(exchange.recorded().path());
		return path != null && path.subresource() != null;
	}

}
