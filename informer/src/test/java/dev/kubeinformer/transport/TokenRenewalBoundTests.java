package dev.kubeinformer.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.test.ScriptedApiServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often a token is fetched for many who are turned away.
 */
class TokenRenewalBoundTests {

	private final AtomicInteger fetched = new AtomicInteger();

	private final AtomicLong now = new AtomicLong();

	private final ApiClient client = new ApiClient();

	private final TokenRefresh refresh = new TokenRefresh(this.client, this.now::get);

	private final ScriptedApiServer server = ScriptedApiServer.start();

	@BeforeEach
	void authenticate() throws IOException {
		this.server.onEvery((request) -> true, (reply) -> reply.status(401));
		new RefreshAuthentication(() -> "token-" + this.fetched.incrementAndGet(), Duration.ofHours(1))
			.provide(this.client);
		send();
		this.fetched.set(0);
	}

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void tokenIsFetchedWithTheNextRequest() throws IOException {
		this.refresh.renew();
		assertThat(this.fetched).hasValue(0);
		send();
		send();
		assertThat(this.fetched).hasValue(1);
	}

	@Test
	void manyWhoAreTurnedAwayInOneMomentFetchOneToken() throws IOException {
		for (int i = 0; i < 50; i++) {
			this.refresh.renew();
			send();
		}
		assertThat(this.fetched).hasValue(1);
	}

	@Test
	void pluginThatGivesBadTokensIsAskedEveryFewSeconds() throws IOException {
		for (int i = 0; i < 60; i++) {
			this.refresh.renew();
			send();
			this.now.addAndGet(Duration.ofSeconds(1).toNanos());
		}
		assertThat(this.fetched).hasValue(12);
	}

	private void send() throws IOException {
		Request request = new Request.Builder().url(this.server.url() + "/api/v1/pods").build();
		try (Response response = this.client.getHttpClient().newCall(request).execute()) {
			assertThat(response.code()).isEqualTo(401);
		}
	}

}
