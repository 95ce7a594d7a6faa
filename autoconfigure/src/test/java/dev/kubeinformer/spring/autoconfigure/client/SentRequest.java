package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;

/**
 * Request as a client would send it, to a server that need not be there.
 */
final class SentRequest {

	private SentRequest() {
	}

	static Request of(ApiClient client) throws IOException {
		Request request = new Request.Builder().url(client.getBasePath() + "/version").build();
		try (Response response = client.getHttpClient()
			.newBuilder()
			.addInterceptor((chain) -> new Response.Builder().request(chain.request())
				.protocol(Protocol.HTTP_1_1)
				.code(200)
				.message("")
				.body(ResponseBody.create("", null))
				.build())
			.build()
			.newCall(request)
			.execute()) {
			return response.request();
		}
	}

	static @Nullable String authorization(ApiClient client) throws IOException {
		return of(client).header("Authorization");
	}

}
