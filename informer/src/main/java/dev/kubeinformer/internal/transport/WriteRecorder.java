package dev.kubeinformer.internal.transport;

import java.util.function.Consumer;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.http.Redirects;
import dev.kubeinformer.internal.http.WarningSink;

/**
 * Recorder of the writes that runs make with a client of the application. A thread that
 * runs a reconciler is bound to its run; what other threads write is not recorded. Safe
 * for use by several threads.
 */
public final class WriteRecorder {

	private final ModelJson json;

	private final ThreadLocal<@Nullable Binding> bound = new ThreadLocal<>();

	/**
	 * Creates a recorder.
	 * @param json reads what is answered
	 */
	public WriteRecorder(ModelJson json) {
		this.json = json;
	}

	/**
	 * Has the writes with a client recorded. This changes the client: it gets a copy of
	 * its HTTP client, with interceptors, which follows no redirects. Does nothing if it
	 * has one already.
	 * @param apiClient the client
	 */
	public void install(ApiClient apiClient) {
		OkHttpClient client = apiClient.getHttpClient();
		if (client.interceptors().stream().noneMatch(this::isOwn)) {
			apiClient.setHttpClient(Redirects.refuse(client.newBuilder())
				.addInterceptor(new OwnWriteInterceptor(this, this.json))
				.addNetworkInterceptor(new FenceInterceptor())
				.build());
		}
	}

	private boolean isOwn(Object interceptor) {
		return interceptor instanceof OwnWriteInterceptor own && own.recorder() == this;
	}

	/**
	 * Binds the calling thread to a run.
	 * @param calls the requests of the run, which all of the thread's are from now on
	 * @param writes receives the writes, in that thread
	 * @param warnings receives the warnings of answers, in that thread
	 */
	public void bind(RunCalls calls, Consumer<? super RecordedWrite> writes, WarningSink warnings) {
		this.bound.set(new Binding(calls, writes, warnings));
	}

	/**
	 * Ends the binding of the calling thread.
	 */
	public void unbind() {
		this.bound.remove();
	}

	@Nullable Binding current() {
		return this.bound.get();
	}

	/**
	 * Run that a thread is bound to.
	 *
	 * @param calls its requests
	 * @param writes receives its writes
	 * @param warnings receives the warnings of answers to it
	 */
	record Binding(RunCalls calls, Consumer<? super RecordedWrite> writes, WarningSink warnings) {

	}

}
