package dev.kubeinformer.test.internal.scripted;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.request.ApiRequest;
import dev.kubeinformer.test.internal.request.RequestLog;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Handler that serves each request by its script.
 */
public final class ScriptHandler extends Handler.Abstract {

	private static final Logger logger = LoggerFactory.getLogger(ScriptHandler.class);

	private final ResourceTypes types = ResourceTypes.builtIn();

	private final RequestLog log;

	private final Function<ApiRequest, @Nullable Script> scripts;

	private final AtomicInteger open = new AtomicInteger();

	/**
	 * Creates the handler.
	 * @param log the log of the requests
	 * @param scripts finds the script of a request
	 */
	public ScriptHandler(RequestLog log, Function<ApiRequest, @Nullable Script> scripts) {
		this.log = log;
		this.scripts = scripts;
	}

	// Number of requests whose responses are not complete.
	public int open() {
		return this.open.get();
	}

	@Override
	public boolean handle(Request request, Response response, Callback callback) {
		this.open.incrementAndGet();
		Request.addCompletionListener(request, (failure) -> this.open.decrementAndGet());
		Exchange exchange = new Exchange(request, response, callback, this.log);
		Script script = this.scripts.apply(exchange.recorded());
		if (script == null) {
			logger.warn("The script has no response for {}", exchange.recorded());
			exchange.fail(Statuses.of(500, "The script has no response for " + exchange.recorded()));
		}
		else {
			script.play(exchange, this.types);
		}
		return true;
	}

}
