package dev.kubeinformer.internal.transport;

import java.util.function.Consumer;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.http.Redirects;
import dev.kubeinformer.internal.http.WarningSink;

/**
 * Records the writes that runs of reconcilers send with a client of the application.
 * While a thread executes a run, it is bound to the run. Writes of threads that are not
 * bound are not recorded. Safe for use by several threads.
 */
public final class WriteRecorder {

	private final ModelJson json;

	private final ThreadLocal<@Nullable Binding> bound = new ThreadLocal<>();

	/**
	 * Creates a recorder.
	 * @param json reads the responses
	 */
	public WriteRecorder(ModelJson json) {
		this.json = json;
	}

	/**
	 * Records the writes of a client from now on. To do so, replaces the client's HTTP
	 * client with a copy that has interceptors and does not follow redirects. Does
	 * nothing if the client already has such a copy.
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
	 * @param calls the requests of the run, to which all requests of the thread belong
	 * from now on
	 * @param writes receives the writes, in the calling thread
	 * @param warnings receives the warnings of responses, in the calling thread
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
	 * Run to which a thread is bound.
	 *
	 * @param calls the requests of the run
	 * @param writes receives the writes of the run
	 * @param warnings receives the warnings of responses to the run
	 */
	record Binding(RunCalls calls, Consumer<? super RecordedWrite> writes, WarningSink warnings) {

	}

}
