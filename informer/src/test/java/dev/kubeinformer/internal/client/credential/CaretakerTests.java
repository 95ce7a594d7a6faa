package dev.kubeinformer.internal.client.credential;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The thread that renews credentials while no request is made.
 */
class CaretakerTests {

	@Test
	void errorOfTheWorkDoesNotEndTheThread() throws InterruptedException {
		AtomicInteger calls = new AtomicInteger();
		CountDownLatch again = new CountDownLatch(1);
		Caretaker caretaker = new Caretaker(() -> {
			if (calls.incrementAndGet() == 1) {
				throw new NoClassDefFoundError("as the test wants it");
			}
			again.countDown();
			return null;
		});
		try {
			caretaker.wake();
			caretaker.wake();
			assertThat(again.await(30, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			caretaker.close();
		}
	}

}
