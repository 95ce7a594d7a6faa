package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.http.TokenRefresh;
import dev.kubeinformer.test.ScriptedApiServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

/** Number of token fetches for many rejected requests. */
class TokenRenewalBoundTests {

	private final AtomicInteger fetched = new AtomicInteger();

	private final AtomicLong now = new AtomicLong();

	private final ApiClient client = new ApiClient();

	private final TokenRefresh refresh = new TokenRefresh(this.now::get, "credentials");

	private final CountDownLatch hanging = new CountDownLatch(1);

	private volatile boolean hangs;

	private volatile boolean fails;

	private OkHttpClient http;

	private final ScriptedApiServer server = ScriptedApiServer.start();

	@BeforeEach
	void authenticate() throws IOException {
		this.server.onEvery((request) -> true, (reply) -> reply.status(401));
		new RefreshAuthentication(this::fetch, Duration.ofHours(1)).provide(this.client);
		this.http = this.refresh.share(this.client.getHttpClient());
		send();
		this.fetched.set(0);
	}

	private String fetch() {
		int number = this.fetched.incrementAndGet();
		if (this.fails) {
			throw new IllegalStateException();
		}
		while (this.hangs && this.hanging.getCount() > 0) {
			// As the official client, which reads what a plugin prints.
			LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
			Thread.interrupted();
		}
		return "token-" + number;
	}

	@AfterEach
	void stop() {
		this.hanging.countDown();
		this.server.close();
	}

	@Test
	void tokenIsFetchedWithTheNextRequest() throws IOException {
		renew(send());
		assertThat(this.fetched).hasValue(0);
		send();
		send();
		assertThat(this.fetched).hasValue(1);
	}

	@Test
	void manyWhoAreTurnedAwayInOneMomentFetchOneToken() throws IOException {
		for (int i = 0; i < 50; i++) {
			renew(send());
		}
		assertThat(this.fetched).hasValue(1);
	}

	@Test
	void pluginThatGivesBadTokensIsAskedEveryFewSeconds() throws IOException {
		for (int i = 0; i < 60; i++) {
			renew(send());
			this.now.addAndGet(Duration.ofSeconds(1).toNanos());
		}
		assertThat(this.fetched).hasValue(12);
	}

	@Test
	void manyRequestsAtOnceFetchOneToken() throws Exception {
		renew(send());
		this.hangs = true;
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<CompletableFuture<Void>> sent = IntStream.range(0, 8)
				.mapToObj((i) -> CompletableFuture.runAsync(this::sendUnchecked, threads))
				.toList();
			await().until(() -> this.http.dispatcher().runningCallsCount() >= 8);
			this.hanging.countDown();
			sent.forEach(CompletableFuture::join);
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.fetched).hasValue(1);
	}

	@Test
	void whatWasTurnedAwayWithAnOldTokenRenewsNothing() throws IOException {
		Response first = send();
		renew(first);
		this.now.addAndGet(Duration.ofMinutes(1).toNanos());
		send();
		renew(first);
		send();
		assertThat(this.fetched).hasValue(1);
	}

	@Test
	void requestThatIsCancelledDoesNotWaitForAPluginThatHangs() throws Exception {
		renew(send());
		this.hangs = true;
		Call call = this.http.newCall(request());
		CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> execute(call));
		await().untilAtomic(this.fetched, (value) -> assertThat(value).isEqualTo(1));
		call.cancel();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(sent::join).withMessageContaining("Canceled");
	}

	@Test
	void requestGivesUpAPluginThatHangsAndTheNextOneStartsNoOther() throws Exception {
		renew(send());
		this.hangs = true;
		CompletableFuture<Void> sent = CompletableFuture.runAsync(this::sendUnchecked);
		await().untilAtomic(this.fetched, (value) -> assertThat(value).isEqualTo(1));
		this.now.addAndGet(Duration.ofSeconds(61).toNanos());
		assertThatExceptionOfType(CompletionException.class).isThrownBy(sent::join)
			.withMessageContaining("did not come within 60 s");
		CompletableFuture<Void> next = CompletableFuture.runAsync(this::sendUnchecked);
		await().until(() -> this.http.dispatcher().runningCallsCount() >= 2);
		this.hanging.countDown();
		next.join();
		assertThat(this.fetched).hasValue(1);
	}

	@Test
	void pluginThatFailsIsAskedEveryFewSeconds() throws IOException {
		renew(send());
		this.fails = true;
		for (int i = 0; i < 20; i++) {
			assertThatIOException().isThrownBy(this::send).withMessageContaining("TokenAquisitionException");
			this.now.addAndGet(Duration.ofSeconds(1).toNanos());
		}
		assertThat(this.fetched).hasValue(4);
	}

	private void renew(Response refused) {
		this.refresh.renew(refused);
	}

	private void sendUnchecked() {
		execute(this.http.newCall(request()));
	}

	private void execute(Call call) {
		try (Response response = call.execute()) {
			assertThat(response.code()).isEqualTo(401);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Request request() {
		return new Request.Builder().url(this.server.url() + "/api/v1/pods").build();
	}

	private Response send() throws IOException {
		try (Response response = this.http.newCall(request()).execute()) {
			assertThat(response.code()).isEqualTo(401);
			return response;
		}
	}

}
