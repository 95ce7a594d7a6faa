package dev.kubeinformer.test.internal.list;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.fault.FaultyBody;
import dev.kubeinformer.test.internal.fault.ResponseFault;
import dev.kubeinformer.test.internal.http.BodyStream;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.render.ObjectRenderer;
import dev.kubeinformer.test.internal.request.Representation;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Serves the list verb.
 */
public final class ListEndpoint {

	// kube-apiserver compresses from this size on.
	private static final long GZIP_FROM = 128 * 1024;

	private final ListReader reader;

	private final ObjectRenderer renderer;

	private final boolean compression;

	public ListEndpoint(ListReader reader, ObjectRenderer renderer, boolean compression) {
		this.reader = reader;
		this.renderer = renderer;
		this.compression = compression;
	}

	public void list(Exchange exchange, ResourceDefinition type, String namespace) {
		answer(exchange, type, read(exchange, type, namespace));
	}

	public ListReader.Page read(Exchange exchange, ResourceDefinition type, String namespace) {
		ResponseFault.AsOf asOf = exchange.interference(ResponseFault.AsOf.class);
		return this.reader.read(type, namespace, exchange.query(), (asOf != null) ? asOf.revision() : null);
	}

	public void answer(Exchange exchange, ResourceDefinition type, ListReader.Page page) {
		ObjectRenderer rendering = this.renderer.in(exchange.representation(), exchange.query());
		// Reject a form that lists do not support before the response begins.
		byte[] head = rendering.head(type, metadata(exchange, type, page));
		ResponseFault.Body fault = exchange.interference(ResponseFault.Body.class);
		if (fault != null && fault.after() <= page.objects().size()) {
			faulty(exchange, fault, parts(type, page, head, rendering)).iterate();
			return;
		}
		// Protobuf is compressed after the translation.
		boolean gzip = this.compression && !exchange.representation().protobuf() && acceptsGzip(exchange)
				&& size(page) > GZIP_FROM;
		Response response = exchange.begin(200, Exchange.JSON);
		if (gzip) {
			response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
		}
		try {
			new BodyStream(response, exchange.callback(), parts(type, page, head, rendering), gzip).iterate();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static FaultyBody faulty(Exchange exchange, ResponseFault.Body fault, Iterator<byte[]> parts) {
		// Number of parts before the fault: the head and the items, with a comma before
		// each item but the first.
		int usual = (fault.after() == 0) ? 1 : 2 * fault.after();
		byte[] before = join(parts, usual);
		return new FaultyBody(exchange, 200, fault, before, join(parts, (fault.after() == 0) ? 1 : 2),
				join(parts, Integer.MAX_VALUE));
	}

	private static byte[] join(Iterator<byte[]> parts, int count) {
		ByteArrayOutputStream joined = new ByteArrayOutputStream();
		for (int i = 0; i < count && parts.hasNext(); i++) {
			joined.writeBytes(parts.next());
		}
		return joined.toByteArray();
	}

	private static boolean acceptsGzip(Exchange exchange) {
		return exchange.header(HttpHeader.ACCEPT_ENCODING).contains("gzip");
	}

	private static long size(ListReader.Page page) {
		return page.objects().stream().mapToLong((object) -> object.json().length).sum();
	}

	private static Iterator<byte[]> parts(ResourceDefinition type, ListReader.Page page, byte[] head,
			ObjectRenderer rendering) {
		byte[] comma = { ',' };
		List<PersistedObject> objects = page.objects();
		Stream<byte[]> items = IntStream.range(0, objects.size()).boxed().flatMap((index) -> {
			byte[] item = rendering.item(type, objects.get(index));
			return (index == 0) ? Stream.of(item) : Stream.of(comma, item);
		});
		Stream<byte[]> end = Stream.of("]}\n".getBytes(StandardCharsets.US_ASCII));
		return Stream.of(Stream.of(head), items, end).flatMap((part) -> part).iterator();
	}

	private static ObjectNode metadata(Exchange exchange, ResourceDefinition type, ListReader.Page page) {
		ResponseFault.Versions versions = exchange.interference(ResponseFault.Versions.class);
		String revision = Long.toString(page.revision());
		ObjectNode metadata = Json.object()
			.put("resourceVersion", (versions != null) ? versions.apply(revision) : revision);
		if (page.next() != null) {
			metadata.put("continue", page.next());
		}
		else if (type.isCustom()) {
			// Lists of custom resources always contain the token.
			metadata.put("continue", "");
		}
		if (page.remaining() != null) {
			metadata.put("remainingItemCount", page.remaining());
		}
		// In 1.37, lists of custom resources and lists in other forms lose this field.
		if (page.shard() != null && !type.isCustom() && exchange.representation().form() == Representation.Form.FULL) {
			metadata.putObject("shardInfo").put("selector", page.shard());
		}
		return metadata;
	}

}
