package dev.kubeinformer.test.internal.http;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

import dev.kubeinformer.test.internal.request.ApiRequest;

/**
 * Reads an HTTP request except its body.
 */
final class RequestReader {

	private RequestReader() {
	}

	static ApiRequest read(Request request) {
		Map<String, String> query = new LinkedHashMap<>();
		for (Fields.Field field : Request.extractQueryParameters(request)) {
			query.put(field.getName(), field.getValue());
		}
		Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		request.getHeaders().forEach((header) -> headers.putIfAbsent(header.getName(), header.getValue()));
		return new ApiRequest(request.getConnectionMetaData().getProtocol(), request.getMethod(),
				Request.getPathInContext(request), Collections.unmodifiableMap(query),
				Collections.unmodifiableMap(headers), 0, Instant.now());
	}

}
