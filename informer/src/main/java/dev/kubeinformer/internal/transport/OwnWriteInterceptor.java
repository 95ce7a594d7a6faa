package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.Set;

import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.json.WrittenMetadata;
import dev.kubeinformer.internal.http.AnswerBodies;
import dev.kubeinformer.internal.http.ObservedWrite;
import dev.kubeinformer.internal.http.Warnings;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.internal.transport.WriteRecorder.Binding;
import dev.kubeinformer.types.ObjectKey;

/**
 * Handles the requests that a run sends with a client of the application. Each request is
 * bound to the run of its thread, so that it ends with the run. From the response to a
 * write, this interceptor reads the written object; from the response to a read, only the
 * warnings. The caller gets each response unchanged, except for an error that is too
 * long. Requests of other threads pass unchanged.
 */
final class OwnWriteInterceptor implements Interceptor {

	private static final Set<String> WRITES = Set.of("POST", "PUT", "PATCH", "DELETE");

	private final WriteRecorder recorder;

	private final ModelJson json;

	OwnWriteInterceptor(WriteRecorder recorder, ModelJson json) {
		this.recorder = recorder;
		this.json = json;
	}

	WriteRecorder recorder() {
		return this.recorder;
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		Binding run = this.recorder.current();
		if (run == null) {
			return chain.proceed(chain.request());
		}
		run.calls().begin(chain.call());
		// The tag identifies the run for the fence, whichever thread sends the request.
		Request.Builder builder = chain.request().newBuilder().tag(RunCalls.class, run.calls());
		ObservedWrite observed = observe(run, builder);
		try {
			Request request = builder.build();
			Response response = chain.proceed(request);
			observed.answered(response.code());
			return answered(chain, request, response, run);
		}
		catch (IOException ex) {
			observed.failed(ex, run.calls().isCancelled() || Thread.currentThread().isInterrupted());
			throw ex;
		}
		catch (RuntimeException ex) {
			observed.refused(ex);
			throw ex;
		}
		finally {
			observed.close();
		}
	}

	private static ObservedWrite observe(Binding run, Request.Builder request) {
		RequestedObject requested = RequestedObject.of(request.build().url());
		String resource = (requested != null) ? requested.resource() + requested.subresource() : null;
		ObjectKey key = (requested != null) ? requested.key() : new ObjectKey("", "");
		return ObservedWrite.begin(run.calls().observer(), resource, key, request);
	}

	private Response answered(Chain chain, Request request, Response response, Binding run) throws IOException {
		if (response.header("Warning") != null) {
			Warnings.report(response, resource(request), run.warnings());
		}
		if (WRITES.contains(request.method()) && response.isSuccessful()) {
			RecordedWrite write = read(request, response);
			run.calls().end(chain.call());
			if (write != null) {
				run.writes().accept(write);
			}
		}
		return (response.code() >= HttpURLConnection.HTTP_MULT_CHOICE) ? withBoundedError(response, run.calls())
				: response;
	}

	// Cuts off the body of an error, because the official client reads the complete body,
	// however long it is.
	private static Response withBoundedError(Response response, RunCalls calls) throws IOException {
		try (response) {
			byte[] body = AnswerBodies.readError(response, calls::isCancelled);
			return response.newBuilder().body(ResponseBody.create(body, response.body().contentType())).build();
		}
	}

	private @Nullable RecordedWrite read(Request request, Response response) throws IOException {
		RequestedObject requested = RequestedObject.of(request.url());
		if (requested == null || request.url().queryParameter("dryRun") != null || !isReadable(response)) {
			return null;
		}
		boolean deletion = request.method().equals("DELETE");
		if (deletion && requested.name().isEmpty()) {
			// The response is a list of any length.
			return null;
		}
		BufferedSource source = response.body().source();
		try {
			// Read the complete body into the buffer, from which the caller reads it.
			AnswerBodies.buffer(response, this.json.largestObject());
		}
		catch (IOException ex) {
			// The caller does not get the response and cannot close it.
			response.close();
			throw ex;
		}
		WrittenMetadata metadata = this.json.readMetadata(source.getBuffer().snapshot().toByteArray());
		if (deletion) {
			return requested.deleted(metadata);
		}
		return (metadata != null && metadata.hasVersion()) ? requested.written(metadata) : null;
	}

	// The application sends these requests, so a path may contain anything.
	private static String resource(Request request) {
		RequestedObject requested = RequestedObject.of(request.url());
		return PrintableText.of((requested != null) ? requested.resource() : request.url().encodedPath());
	}

	private static boolean isReadable(Response response) {
		String type = response.header("Content-Type", "");
		return type != null && type.startsWith("application/json") && response.header("Content-Encoding") == null;
	}

}
