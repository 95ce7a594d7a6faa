package dev.kubeinformer.test.internal.proxy;

/**
 * Rate limit of a {@link FaultProxy}, for each direction of each connection.
 */
public final class ProxyThrottle {

	/**
	 * Number of parts into which a second is divided. In each part some bytes are
	 * forwarded, so a slow stream is steady instead of coming in bursts.
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
	 * @param most the number of bytes without a limit
	 * @return the number of bytes, at least 1
	 */
	synchronized int slice(int most) {
		return (this.bytesPerSecond == 0) ? most : Math.max(1, Math.min(most, this.bytesPerSecond / SLICES));
	}

	/**
	 * Waits for the time that bytes take at the rate, or until the rate changes.
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
