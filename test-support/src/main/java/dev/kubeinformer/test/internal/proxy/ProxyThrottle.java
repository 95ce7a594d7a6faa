package dev.kubeinformer.test.internal.proxy;

/**
 * Rate limit of a {@link FaultProxy}, for each direction of each connection.
 */
public final class ProxyThrottle {

	/**
	 * Number of parts of a second. Some bytes are forwarded in each part, so that a slow
	 * stream is steady and not in bursts.
	 */
	private static final int SLICES = 20;

	private int bytesPerSecond;

	/**
	 * Sets the rate.
	 * @param bytesPerSecond the rate; zero for no limit
	 */
	public synchronized void rate(int bytesPerSecond) {
		this.bytesPerSecond = bytesPerSecond;
		notifyAll();
	}

	/**
	 * Returns the number of bytes that may be read at once.
	 * @param most the number of bytes to read if there is no limit
	 * @return the number of bytes, at least 1
	 */
	synchronized int slice(int most) {
		return (this.bytesPerSecond == 0) ? most : Math.max(1, Math.min(most, this.bytesPerSecond / SLICES));
	}

	/**
	 * Waits as long as it takes to send bytes at the current rate. If the rate changes,
	 * the wait ends.
	 * @param count the number of bytes
	 * @throws InterruptedException if the connection is closed during the wait
	 */
	synchronized void pass(int count) throws InterruptedException {
		int rate = this.bytesPerSecond;
		if (rate == 0) {
			return;
		}
		long end = System.nanoTime() + count * 1_000_000_000L / rate;
		long left;
		while (this.bytesPerSecond == rate && (left = end - System.nanoTime()) > 0) {
			wait(left / 1_000_000, (int) (left % 1_000_000));
		}
	}

}
