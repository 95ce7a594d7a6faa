package dev.kubeinformer.spring.bean;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits during the start of the application. A wait ends early if the context is closed,
 * for example after a SIGTERM. Closing a context waits for the end of its start, but
 * interrupts the starting thread if that thread waits without a time limit
 * ({@code AbstractApplicationContext.tryLockForShutdown}). Therefore the work, which has
 * its own time limit, runs in another thread, and the starting thread waits for it
 * without a limit. Internal to the starter.
 */
public final class StartWait {

	private static final Logger logger = LoggerFactory.getLogger(StartWait.class);

	private StartWait() {
	}

	/**
	 * Waits until work has ended.
	 * @param awaited the subject of the wait, for messages
	 * @param work the work, which is interrupted if the application is stopped
	 * @throws StartInterruptedException if the application is stopped
	 */
	public static void run(String awaited, Runnable work) {
		call(awaited, () -> {
			work.run();
			return true;
		}, (done) -> {
		});
	}

	/**
	 * Waits for the result of work.
	 * @param <T> the type of the result
	 * @param awaited the subject of the wait, for messages
	 * @param work the work, which is interrupted if the application is stopped
	 * @param unused the consumer of a result that arrives after the wait was interrupted
	 * @return the result
	 * @throws StartInterruptedException if the application is stopped
	 */
	public static <T> T call(String awaited, Supplier<T> work, Consumer<? super T> unused) {
		CompletableFuture<T> result = new CompletableFuture<>();
		Thread thread = new Thread(() -> complete(result, work, unused), "informers-start-wait");
		thread.setDaemon(true);
		thread.start();
		try {
			return result.get();
		}
		catch (InterruptedException ex) {
			// Do not restore the interrupt flag: with it, the stop of the beans that were
			// already started would not wait for their end.
			if (!result.cancel(false) && !result.isCompletedExceptionally()) {
				unused.accept(result.join());
			}
			thread.interrupt();
			StartInterruptedException stopped = new StartInterruptedException(awaited, ex);
			logger.info("{}", stopped.getMessage());
			throw stopped;
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			if (ex.getCause() instanceof Error failure) {
				throw failure;
			}
			throw new IllegalStateException(ex.getCause());
		}
	}

	private static <T> void complete(CompletableFuture<T> result, Supplier<T> work, Consumer<? super T> unused) {
		try {
			T value = work.get();
			if (!result.complete(value)) {
				unused.accept(value);
			}
		}
		catch (Throwable ex) {
			result.completeExceptionally(ex);
		}
	}

}
