package dev.kubeinformer.benchmark;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerSpec.Retry;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.internal.workqueue.KeyDelays;
import dev.kubeinformer.internal.workqueue.KeyQueue;
import dev.kubeinformer.internal.workqueue.KeyRun;
import dev.kubeinformer.internal.workqueue.LoopListener;
import dev.kubeinformer.internal.workqueue.LoopOptions;
import dev.kubeinformer.internal.workqueue.ReconcileLoop;
import dev.kubeinformer.internal.workqueue.RunEnd;
import dev.kubeinformer.internal.workqueue.TakenKey;
import dev.kubeinformer.types.ObjectKey;

/**
 * Measures how long live changes wait behind the initial state, and how long the initial
 * state takes during live changes: in virtual time, or with threads ({@code real}).
 * Arguments: the number of initial keys, and {@code real}.
 */
public final class KeyQueueLanes {

	private static final int WORKERS = 8;

	private static final long RUN = TimeUnit.MILLISECONDS.toNanos(20);

	private static final long CHANGE = TimeUnit.MILLISECONDS.toNanos(10);

	private final int initialKeys;

	private KeyQueueLanes(int initialKeys) {
		this.initialKeys = initialKeys;
	}

	public static void main(String[] args) throws InterruptedException {
		KeyQueueLanes lanes = new KeyQueueLanes((args.length > 0) ? Integer.parseInt(args[0]) : 100_000);
		boolean real = args.length > 1 && args[1].equals("real");
		Pass alone = real ? lanes.real(Changes.NONE) : lanes.virtual(Changes.NONE);
		System.out.printf("alone: initial pass %.2f s%n", alone.seconds());
		for (Changes changes : new Changes[] { Changes.OTHER_KEYS, Changes.SAME_KEYS }) {
			Pass pass = real ? lanes.real(changes) : lanes.virtual(changes);
			System.out.printf(
					"100 changes/s of %s: live queue time p50 %.1f ms, p99 %.1f ms, greatest %.1f ms; "
							+ "initial pass %.2f s, %.3f of that alone%n",
					changes.text, pass.live(0.5), pass.live(0.99), pass.live(1), pass.seconds(),
					pass.seconds() / alone.seconds());
		}
	}

	private ObjectKey initial(int number) {
		return new ObjectKey("initial", "k" + number);
	}

	private ObjectKey changed(Changes changes, Random random) {
		return (changes == Changes.SAME_KEYS) ? initial(random.nextInt(this.initialKeys))
				: new ObjectKey("live", "k" + random.nextInt(this.initialKeys));
	}

	private Pass virtual(Changes changes) {
		Random random = new Random(1);
		KeyQueue queue = new KeyQueue(new KeyDelays(Duration.ZERO, Duration.ofSeconds(10), Retry.defaults(), random));
		for (int i = 0; i < this.initialKeys; i++) {
			queue.changed(initial(i), QueueLane.INITIAL, 0);
		}
		// All runs take the same time, so the first to start is the first to end.
		Deque<TakenKey> running = new ArrayDeque<>();
		Waits waits = new Waits();
		BitSet ended = new BitSet();
		int left = this.initialKeys;
		long nextChange = (changes != Changes.NONE) ? CHANGE : Long.MAX_VALUE;
		long now = 0;
		while (left > 0) {
			startAll(queue, running, waits, now);
			TakenKey first = running.peek();
			long nextEnd = (first != null) ? first.takenAt() + RUN : Long.MAX_VALUE;
			now = Math.min(nextEnd, nextChange);
			if (first != null && nextEnd <= nextChange) {
				running.remove();
				queue.done(first, now);
				if (first.key().namespace().equals("initial")) {
					int number = Integer.parseInt(first.key().name().substring(1));
					left -= ended.get(number) ? 0 : 1;
					ended.set(number);
				}
			}
			else {
				queue.changed(changed(changes, random), QueueLane.LIVE, now);
				nextChange += CHANGE;
			}
		}
		return new Pass(now, waits.sorted());
	}

	private static void startAll(KeyQueue queue, Deque<TakenKey> running, Waits waits, long now) {
		TakenKey run = (running.size() < WORKERS) ? queue.take(now) : null;
		while (run != null) {
			waits.add(run.lane(), now - run.readySince());
			running.add(run);
			run = (running.size() < WORKERS) ? queue.take(now) : null;
		}
	}

	private Pass real(Changes changes) throws InterruptedException {
		Random random = new Random(1);
		ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
		Waits waits = new Waits();
		AtomicInteger left = new AtomicInteger(this.initialKeys);
		Set<ObjectKey> seen = ConcurrentHashMap.newKeySet();
		CountDownLatch all = new CountDownLatch(1);
		ReconcileLoop loop = new ReconcileLoop(new LoopOptions("lanes", WORKERS, Duration.ofMinutes(5), Duration.ZERO,
				Duration.ofSeconds(10), Retry.defaults(), Duration.ofSeconds(1), Thread::new, System::nanoTime, random,
				timer, Clock.systemUTC()), new Unheard());
		for (int i = 0; i < this.initialKeys; i++) {
			loop.changed(initial(i), QueueLane.INITIAL);
		}
		long start = System.nanoTime();
		loop.start(Fence.NONE, (run) -> {
			waits.add(run.lane(), run.queueTime().toNanos());
			TimeUnit.NANOSECONDS.sleep(RUN);
			if (run.key().namespace().equals("initial") && seen.add(run.key()) && left.decrementAndGet() == 0) {
				all.countDown();
			}
			return RunEnd.done();
		});
		loop.open();
		if (changes != Changes.NONE) {
			Random choice = new Random(2);
			timer.scheduleAtFixedRate(() -> loop.changed(changed(changes, choice), QueueLane.LIVE), CHANGE, CHANGE,
					TimeUnit.NANOSECONDS);
		}
		all.await();
		long time = System.nanoTime() - start;
		timer.shutdownNow();
		loop.stop();
		return new Pass(time, waits.sorted());
	}

	/** Keys that change meanwhile. */
	private enum Changes {

		NONE("none"), OTHER_KEYS("other keys"), SAME_KEYS("the same keys");

		private final String text;

		Changes(String text) {
			this.text = text;
		}

	}

	/**
	 * One pass over the initial keys.
	 *
	 * @param nanos the duration
	 * @param waits the waits of live changes, in nanoseconds, sorted
	 */
	private record Pass(long nanos, long[] waits) {

		double seconds() {
			return this.nanos / 1e9;
		}

		double live(double part) {
			return this.waits[(int) Math.min(this.waits.length - 1L, Math.round(part * this.waits.length))] / 1e6;
		}

	}

	/** Waits of live changes. */
	private static final class Waits {

		private final ConcurrentLinkedQueue<Long> live = new ConcurrentLinkedQueue<>();

		void add(QueueLane lane, long wait) {
			if (lane == QueueLane.LIVE) {
				this.live.add(wait);
			}
		}

		long[] sorted() {
			return this.live.stream().mapToLong(Long::longValue).sorted().toArray();
		}

	}

	/** Listener that ignores everything. */
	private static final class Unheard implements LoopListener {

		@Override
		public void ended(KeyRun run, RunEnd end, Duration duration) {
			// Not measured.
		}

		@Override
		public void unparked(ObjectKey key, Duration waited, boolean seen) {
			// Not measured.
		}

	}

}
