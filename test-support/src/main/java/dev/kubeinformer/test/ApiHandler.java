package dev.kubeinformer.test;

import java.util.Set;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The way of a request: fault, path, verb.
 */
final class ApiHandler extends Handler.Abstract {

	private static final Logger logger = LoggerFactory.getLogger(ApiHandler.class);

	private static final Set<String> HEALTH = Set.of("/readyz", "/livez", "/healthz");

	private final ResourceTypes types;

	private final Discovery discovery;

	private final Faults faults;

	private final RequestLog log;

	private final ObjectEndpoint objects;

	private final ListEndpoint lists;

	private final WatchEndpoint watches;

	ApiHandler(ResourceTypes types, Faults faults, RequestLog log, ObjectEndpoint objects, ListEndpoint lists,
			WatchEndpoint watches) {
		this.types = types;
		this.discovery = new Discovery(types);
		this.faults = faults;
		this.log = log;
		this.objects = objects;
		this.lists = lists;
		this.watches = watches;
	}

	@Override
	public boolean handle(Request request, Response response, Callback callback) {
		Exchange exchange = new Exchange(request, response, callback, this.log);
		guarded(exchange, () -> this.faults.answer(exchange, () -> guarded(exchange, () -> answer(exchange))));
		return true;
	}

	// A fault may run the answer later on another thread.
	private static void guarded(Exchange exchange, Runnable action) {
		try {
			action.run();
		}
		catch (StatusException ex) {
			exchange.fail(ex);
		}
		catch (RuntimeException ex) {
			logger.error("The embedded API failed to answer {}", exchange.recorded(), ex);
			exchange.fail(Statuses.of(500, "Internal error occurred: " + ex));
		}
	}

	private void answer(Exchange exchange) {
		String path = exchange.recorded().path();
		if (HEALTH.contains(path)) {
			exchange.text(200, "ok");
			return;
		}
		MediaTypes.checkJson(exchange.header(HttpHeader.ACCEPT));
		ObjectNode document = this.discovery.find(path);
		if (document != null) {
			exchange.json(200, document);
			return;
		}
		ApiPath parsed = ApiPath.parse(path);
		ResourceDefinition type = (parsed != null)
				? this.types.find(parsed.group(), parsed.version(), parsed.resource()) : null;
		if (parsed == null || type == null || !isServed(parsed, type)) {
			throw Statuses.unknownPath();
		}
		String namespace = (parsed.namespace() != null) ? parsed.namespace() : "";
		if (parsed.name() == null) {
			onCollection(exchange, type, namespace);
		}
		else {
			onObject(exchange, type, new ObjectKey(namespace, parsed.name()));
		}
	}

	private static boolean isServed(ApiPath path, ResourceDefinition type) {
		boolean scope = (type.namespaced()) ? path.namespace() != null || path.name() == null
				: path.namespace() == null;
		return scope && (path.subresource() == null || "status".equals(path.subresource()));
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
			case "DELETE" -> throw Statuses.methodNotAllowed(": the embedded API does not support deletecollection");
			default -> throw Statuses.methodNotAllowed("");
		}
	}

	private void onObject(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		switch (exchange.recorded().method()) {
			case "GET" -> this.objects.get(exchange, type, key);
			case "PUT" -> this.objects.update(exchange, type, key);
			case "PATCH" -> this.objects.patch(exchange, type, key);
			case "DELETE" -> this.objects.delete(exchange, type, key);
			default -> throw Statuses.methodNotAllowed("");
		}
	}

}
