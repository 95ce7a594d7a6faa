package dev.kubeinformer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class TransitionLockTests {

	private final AtomicBoolean inCallback = new AtomicBoolean();

	private final AtomicBoolean holderWaits = new AtomicBoolean();

	private final TransitionLock lock = new TransitionLock(this.inCallback::get, this.holderWaits::get);

	@Test
	void callbackIsSentAwayAsSoonAsTheHolderWaitsForIt() throws Exception {
		assertThat(this.lock.enter()).isTrue();
		this.inCallback.set(true);
		CompletableFuture<Boolean> callback = CompletableFuture.supplyAsync(this.lock::enter);
		await().during(50, TimeUnit.MILLISECONDS).until(() -> !callback.isDone());
		this.holderWaits.set(true);
		assertThat(callback.get(30, TimeUnit.SECONDS)).isFalse();
		this.lock.leave();
	}

	@Test
	void callbackEntersWhenTheHolderLeavesWithoutWaiting() throws Exception {
		assertThat(this.lock.enter()).isTrue();
		this.inCallback.set(true);
		CompletableFuture<Boolean> callback = CompletableFuture.supplyAsync(this.lock::enter);
		await().during(50, TimeUnit.MILLISECONDS).until(() -> !callback.isDone());
		this.lock.leave();
		assertThat(callback.get(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void anyoneElseWaits() throws Exception {
		this.holderWaits.set(true);
		assertThat(this.lock.enter()).isTrue();
		CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(this.lock::enter);
		await().during(50, TimeUnit.MILLISECONDS).until(() -> !other.isDone());
		this.lock.leave();
		assertThat(other.get(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void holderMayEnterAgain() {
		this.inCallback.set(true);
		this.holderWaits.set(true);
		assertThat(this.lock.enter()).isTrue();
		assertThat(this.lock.enter()).isTrue();
	}

}
