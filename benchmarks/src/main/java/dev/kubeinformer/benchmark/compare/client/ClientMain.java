package dev.kubeinformer.benchmark.compare.client;

import java.util.Map;

import dev.kubeinformer.benchmark.compare.Measure;
import dev.kubeinformer.benchmark.compare.ResultLine;

/**
 * Measures one scenario of one client and prints the result line.
 */
public final class ClientMain {

	private ClientMain() {
	}

	/**
	 * Runs it, and ends the JVM whatever threads the client has.
	 * @param arguments see {@link Setup}
	 * @throws Exception if the client fails
	 */
	public static void main(String... arguments) throws Exception {
		long entered = System.currentTimeMillis();
		try {
			System.out.println(ResultLine.of(measure(Setup.of(arguments), entered)));
			System.exit(0);
		}
		catch (Exception ex) {
			ex.printStackTrace();
			System.exit(1);
		}
	}

	private static Map<Measure, Double> measure(Setup setup, long entered) throws Exception {
		return switch (setup.scenario()) {
			case SYNC, FIT -> new SyncRun(setup, entered).measure();
			case RELIST -> new RelistRun(setup).measure();
			case WATCH -> new WatchRun(setup).measure();
			case SLOW -> new SlowRun(setup).measure();
			case GET -> new GetRun(setup).measure();
		};
	}

}
