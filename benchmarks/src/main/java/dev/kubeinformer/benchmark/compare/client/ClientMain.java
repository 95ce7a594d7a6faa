package dev.kubeinformer.benchmark.compare.client;

import dev.kubeinformer.benchmark.compare.ResultLine;

/** Measures one scenario of one client, and prints the result and the final state. */
public final class ClientMain {

	private ClientMain() {
	}

	/**
	 * Runs the measurement and ends the JVM, even if the client's threads are running.
	 * @param arguments see {@link Setup}
	 * @throws Exception if the client fails
	 */
	public static void main(String... arguments) throws Exception {
		long entered = System.currentTimeMillis();
		try {
			Measurement measured = measure(Setup.of(arguments), entered);
			System.out.println(ResultLine.of(measured.values()));
			System.out.println(measured.state().line());
			System.exit(0);
		}
		catch (Exception ex) {
			ex.printStackTrace();
			System.exit(1);
		}
	}

	private static Measurement measure(Setup setup, long entered) throws Exception {
		return switch (setup.scenario()) {
			case SYNC, FIT -> new SyncRun(setup, entered).measure();
			case RELIST -> new RelistRun(setup).measure();
			case WATCH -> new WatchRun(setup).measure();
			case SLOW -> new SlowRun(setup).measure();
			case GET -> new GetRun(setup).measure();
		};
	}

}
