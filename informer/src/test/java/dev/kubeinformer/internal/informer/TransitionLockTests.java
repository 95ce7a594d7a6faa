package dev.kubeinformer.internal.informer;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

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
		this.lock.refuseCallbacks();
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
	void callbackWaitsForANotificationAndNotForATime() throws InterruptedException {
		assertThat(this.lock.enter()).isTrue();
		this.inCallback.set(true);
		AtomicBoolean entered = new AtomicBoolean();
		Thread callback = new Thread(() -> entered.set(this.lock.enter()));
		callback.start();
		await().until(() -> callback.getState() == Thread.State.WAITING);
		callback.interrupt();
		await().until(() -> !callback.isInterrupted() && callback.getState() == Thread.State.WAITING);
		this.lock.leave();
		callback.join(30_000);
		assertThat(entered).isTrue();
	}

	@Test
	void callbackThatIsNoneAnyMoreWaitsLikeAnyoneElse() throws InterruptedException {
		AtomicInteger looks = new AtomicInteger();
		TransitionLock counted = new TransitionLock(this.inCallback::get, () -> {
			looks.incrementAndGet();
			return this.holderWaits.get();
		});
		assertThat(counted.enter()).isTrue();
		this.inCallback.set(true);
		AtomicBoolean entered = new AtomicBoolean();
		Thread callback = new Thread(() -> entered.set(counted.enter()));
		callback.start();
		await().until(() -> callback.getState() == Thread.State.WAITING && looks.get() == 1);
		this.inCallback.set(false);
		this.holderWaits.set(true);
		counted.refuseCallbacks();
		await().until(() -> looks.get() == 2);
		counted.leave();
		callback.join(30_000);
		assertThat(entered).isTrue();
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
