package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.client.tls.ClientIdentity;
import dev.kubeinformer.internal.client.tls.Pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests of {@link FetchedSource}, with the time of the test.
 */
class FetchedSourceTests {

	private static final BooleanSupplier WAITING = () -> false;

	private final TestTime time = new TestTime();

	private final Script script = new Script();

	private final AtomicInteger exchanges = new AtomicInteger();

	private final FetchedSource source = new FetchedSource(this.script, this.time.time(),
			this.exchanges::incrementAndGet);

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final TestLog log = new TestLog();

	@AfterEach
	void close() {
		this.script.gate.countDown();
		this.executor.shutdownNow();
		this.log.close();
	}

	@Test
	void credentialShouldBeFetchedOnceForAllCallers() throws Exception {
		this.script.gate = new CountDownLatch(1);
		assertThat(this.source.latest()).isNull();
		List<Future<Credential>> callers = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			callers.add(this.executor.submit(() -> this.source.current(WAITING)));
		}
		Awaitility.await().until(() -> this.script.runs.get() == 1);
		this.script.gate.countDown();
		for (Future<Credential> caller : callers) {
			assertThat(caller.get(10, TimeUnit.SECONDS).authorization()).isEqualTo("Bearer 1");
		}
		assertThat(this.script.runs).hasValue(1);
		assertThat(this.script.threads).containsExactly("informer-credentials");
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void credentialWithoutAnExpiryShouldStay() throws Exception {
		this.script.life = null;
		this.source.current(WAITING);
		this.time.advance(Duration.ofDays(100));
		assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 1");
		assertThat(this.source.tend()).isNull();
	}

	@Test
	void credentialShouldBeRenewedInTheBackgroundShortlyBeforeItsExpiry() throws Exception {
		this.source.current(WAITING);
		this.time.advance(Duration.ofSeconds(26));
		assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 1");
		assertThat(this.script.runs).hasValue(1);
		this.script.gate = new CountDownLatch(1);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 1");
		assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 1");
		this.script.gate.countDown();
		Awaitility.await().until(() -> this.source.current(WAITING).authorization(), "Bearer 2"::equals);
		assertThat(this.script.runs).hasValue(2);
		assertThat(this.exchanges).hasValue(2);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.log.lines())
				.containsExactly("INFO The credential was replaced: script; the new one expires at %s"
					.formatted(TestTime.START.plusSeconds(57))));
	}

	@Test
	void requestShouldWaitForTheNextCredentialAfterTheExpiry() throws Exception {
		this.source.current(WAITING);
		this.time.advance(Duration.ofSeconds(30));
		assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 2");
	}

	@Test
	void pluginThatGivesTheSameCredentialUntilItsExpiryShouldBeAskedAtTheExpiry() throws Exception {
		Credential first = this.source.current(WAITING);
		this.script.repeated = first;
		this.time.advance(Duration.ofSeconds(27));
		this.source.current(WAITING);
		awaitEnd();
		Awaitility.await().until(() -> this.source.latest() == first && this.exchanges.get() == 2);
		this.script.repeated = null;
		this.time.advance(Duration.ofSeconds(3));
		assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 3");
	}

	@Test
	void credentialThatComesExpiredShouldBeUsedAndFetchedAgainAfterSeconds() throws Exception {
		this.script.life = Duration.ofHours(-1);
		assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 1");
		this.time.advance(Duration.ofSeconds(4));
		assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 1");
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 2");
	}

	@Test
	void failureShouldBeRepeatedForSecondsAndThenTriedAgain() throws Exception {
		this.script.failure = "the plugin failed";
		assertThatIOException().isThrownBy(() -> this.source.current(WAITING)).withMessage("the plugin failed");
		assertThatIOException().isThrownBy(() -> this.source.current(WAITING)).withMessage("the plugin failed");
		assertThat(this.script.runs).hasValue(1);
		this.time.advance(Duration.ofSeconds(5));
		this.script.failure = null;
		assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 2");
		// Who waits gets the exception.
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void oldCredentialShouldStayWhileItsRenewalFailsAndWarnOnce() throws Exception {
		this.script.life = Duration.ofMinutes(10);
		this.source.current(WAITING);
		this.script.failure = "the plugin failed";
		this.time.advance(Duration.ofMinutes(9));
		int runs = 1;
		// After 5, 10 and 20 seconds.
		for (int wait : new int[] { 5, 10, 20, 24 }) {
			assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 1");
			awaitRuns(++runs);
			this.time.advance(Duration.ofSeconds(wait - 1));
			assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 1");
			this.time.advance(Duration.ofSeconds(1));
		}
		assertThat(this.script.runs).hasValue(runs);
		assertThat(this.log.lines()).containsExactly(
				"WARN Cannot renew the credential: the plugin failed; the old one stays in use and expires at %s"
					.formatted(TestTime.START.plusSeconds(600)));
		this.time.advance(Duration.ofSeconds(1));
		assertThatIOException().isThrownBy(() -> this.source.current(WAITING)).withMessage("the plugin failed");
	}

	@Test
	void failureAfterTheExpiryShouldSayThatRequestsFail() throws Exception {
		this.script.life = Duration.ofMinutes(10);
		this.source.current(WAITING);
		this.script.failure = "the plugin failed";
		this.time.advance(Duration.ofMinutes(11));
		assertThatIOException().isThrownBy(() -> this.source.current(WAITING)).withMessage("the plugin failed");
		assertThat(this.log.lines()).containsExactly(
				"WARN Cannot renew the credential: the plugin failed; the old one expired at %s, and requests fail until it is renewed"
					.formatted(TestTime.START.plusSeconds(600)));
	}

	@Test
	void refusedCredentialShouldBeFetchedAgainOnceForAll() throws Exception {
		Credential refused = this.source.current(WAITING);
		this.time.advance(Duration.ofSeconds(5));
		Credential next = this.source.after(refused, WAITING);
		assertThat(next.authorization()).isEqualTo("Bearer 2");
		assertThat(this.source.after(refused, WAITING)).isSameAs(next);
		assertThat(this.script.runs).hasValue(2);
	}

	@Test
	void refusedCredentialShouldNotBeFetchedAgainWithinSecondsOfARefusal() throws Exception {
		Credential first = this.source.current(WAITING);
		Credential second = this.source.after(first, WAITING);
		assertThat(second.authorization()).isEqualTo("Bearer 2");
		this.time.advance(Duration.ofSeconds(4));
		assertThat(this.source.after(second, WAITING)).isSameAs(second);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.source.after(second, WAITING).authorization()).isEqualTo("Bearer 3");
		assertThat(this.script.runs).hasValue(3);
	}

	@Test
	void credentialsThatAreAllRefusedShouldBeFetchedLessAndLessOften() throws Exception {
		this.script.life = null;
		this.source.current(WAITING);
		List<Long> fetches = new ArrayList<>();
		for (long second = 0; second < 2000; second++) {
			Credential refused = Objects.requireNonNull(this.source.latest());
			if (this.source.after(refused, WAITING) != refused) {
				fetches.add(second);
			}
			this.time.advance(Duration.ofSeconds(1));
		}
		// After 5, 10, 20 ... seconds.
		assertThat(fetches).containsExactly(0L, 5L, 15L, 35L, 75L, 155L, 315L, 615L, 915L, 1215L, 1515L, 1815L);
		assertThat(this.log.lines()).containsExactly("INFO The credential was replaced: script");
		this.time.advance(Duration.ofMinutes(5));
		Credential revoked = this.source.current(WAITING);
		assertThat(this.source.after(revoked, WAITING)).isNotSameAs(revoked);
		assertThat(this.log.lines()).hasSize(2);
	}

	@Test
	void credentialsThatAllComeExpiredShouldBeFetchedLessAndLessOften() throws Exception {
		this.script.life = Duration.ofHours(-1);
		List<Integer> fetches = new ArrayList<>();
		for (int second = 0; second < 1000; second++) {
			Credential known = this.source.latest();
			if (this.source.current(WAITING) != known) {
				fetches.add(second);
			}
			this.time.advance(Duration.ofSeconds(1));
		}
		assertThat(fetches).containsExactly(0, 5, 15, 35, 75, 155, 315, 615, 915);
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void refusedCredentialShouldStayIfThereIsNoOther() throws Exception {
		this.script.same = true;
		Credential refused = this.source.current(WAITING);
		this.time.advance(Duration.ofSeconds(5));
		assertThat(this.source.after(refused, WAITING).authenticatesAs(refused)).isTrue();
		this.time.advance(Duration.ofSeconds(5));
		this.script.failure = "the plugin failed";
		Credential latest = Objects.requireNonNull(this.source.latest());
		assertThat(this.source.after(latest, WAITING)).isSameAs(latest);
		assertThat(this.log.lines()).singleElement().asString().startsWith("WARN Cannot renew the credential");
	}

	@Test
	void callerThatStopsWaitingShouldNotBeHeld() throws Exception {
		this.script.gate = new CountDownLatch(1);
		assertThatIOException().isThrownBy(() -> this.source.current(() -> true)).withMessage("Canceled");
		this.script.gate.countDown();
		assertThat(this.source.current(WAITING).authorization()).isEqualTo("Bearer 1");
		assertThat(this.script.runs).hasValue(1);
	}

	@Test
	void callerShouldNotWaitLongerThanAMinute() {
		this.script.gate = new CountDownLatch(1);
		BooleanSupplier later = () -> {
			this.time.advance(Duration.ofSeconds(20));
			return false;
		};
		assertThatIOException().isThrownBy(() -> this.source.current(later))
			.withMessage("the script did not return a credential within 60 s");
	}

	@Test
	void unexpectedExceptionShouldNotBeWaitedFor() {
		this.script.error = new IllegalStateException("s3cret");
		assertThatIOException().isThrownBy(() -> this.source.current(WAITING))
			.withMessage("the script failed with java.lang.IllegalStateException");
	}

	@Test
	void closeShouldEndAFetchAndRefuseOthers() throws Exception {
		this.script.gate = new CountDownLatch(1);
		Future<Credential> caller = this.executor.submit(() -> this.source.current(WAITING));
		Awaitility.await().until(() -> this.script.runs.get() == 1);
		this.source.close();
		assertThat(this.script.closed).isTrue();
		assertThatIOException().isThrownBy(() -> {
			try {
				caller.get(10, TimeUnit.SECONDS);
			}
			catch (java.util.concurrent.ExecutionException ex) {
				throw ex.getCause();
			}
		});
		this.time.advance(Duration.ofSeconds(5));
		assertThatIOException().isThrownBy(() -> this.source.current(WAITING)).withMessage("the client was closed");
	}

	@Test
	void certificateShouldBeRenewedWithoutARequest() throws Exception {
		this.script.identity = Pem.identity("", "", TestPem.OLD.certificate(), "", TestPem.OLD.key());
		this.source.current(WAITING);
		assertThat(this.source.isTended()).isTrue();
		assertThat(this.source.tend()).isEqualTo(Duration.ofSeconds(27));
		this.time.advance(Duration.ofSeconds(27));
		assertThat(this.source.tend()).isNull();
		awaitEnd();
		Awaitility.await().until(this.source::tend, Duration.ofSeconds(27)::equals);
		assertThat(this.script.runs).hasValue(2);
	}

	@Test
	void certificateThatIsNotRenewedShouldBeAskedForAtItsExpiryAndThenLessOften() throws Exception {
		this.script.identity = Pem.identity("", "", TestPem.OLD.certificate(), "", TestPem.OLD.key());
		this.source.current(WAITING);
		this.script.failure = "the plugin failed";
		this.time.advance(Duration.ofSeconds(27));
		List<Duration> pauses = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			this.source.tend();
			awaitEnd();
			Duration pause = Awaitility.await().until(this.source::tend, Objects::nonNull);
			pauses.add(pause);
			this.time.advance(pause);
		}
		assertThat(pauses).isSorted()
			.startsWith(Duration.ofSeconds(3), Duration.ofSeconds(10))
			.endsWith(Duration.ofMinutes(5));
	}

	@Test
	void clockThatIsAheadShouldNotRunThePluginAllTheTime() throws Exception {
		this.script.identity = Pem.identity("", "", TestPem.OLD.certificate(), "", TestPem.OLD.key());
		this.script.life = Duration.ofHours(-1);
		this.source.current(WAITING);
		for (int i = 0; i < 10; i++) {
			Duration pause = Awaitility.await().until(this.source::tend, Objects::nonNull);
			this.time.advance(pause);
			this.source.tend();
			awaitEnd();
		}
		assertThat(Awaitility.await().until(this.source::tend, Objects::nonNull)).isEqualTo(Duration.ofMinutes(5));
	}

	private void awaitRuns(int runs) {
		Awaitility.await().until(() -> this.script.runs.get() == runs && this.exchanges.get() == runs);
	}

	private void awaitEnd() {
		Awaitility.await().until(() -> this.script.runs.get() == this.exchanges.get());
	}

	/**
	 * A fetcher whose results a test chooses.
	 */
	private final class Script implements Fetcher {

		private final AtomicInteger runs = new AtomicInteger();

		private final List<String> threads = new ArrayList<>();

		private volatile CountDownLatch gate = new CountDownLatch(0);

		private volatile @Nullable Duration life = Duration.ofSeconds(30);

		private volatile @Nullable String failure;

		private volatile @Nullable RuntimeException error;

		private volatile @Nullable ClientIdentity identity;

		private volatile @Nullable Credential repeated;

		private volatile boolean same;

		private volatile boolean closed;

		@Override
		public String name() {
			return "the script";
		}

		@Override
		public Credential fetch() throws IOException {
			int run = this.runs.incrementAndGet();
			this.threads.add(Thread.currentThread().getName());
			try {
				this.gate.await();
			}
			catch (InterruptedException ex) {
				throw new IOException("interrupted", ex);
			}
			if (this.failure != null) {
				throw new IOException(this.failure);
			}
			if (this.error != null) {
				throw this.error;
			}
			if (this.repeated != null) {
				return this.repeated;
			}
			Instant now = FetchedSourceTests.this.time.instant();
			Duration life = this.life;
			return new Credential("Bearer " + (this.same ? 0 : run), this.identity, "script", now,
					(life != null) ? now.plus(life) : null);
		}

		@Override
		public void close() {
			this.closed = true;
		}

	}

}
