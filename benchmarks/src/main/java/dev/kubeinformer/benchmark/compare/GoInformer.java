package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The program of client-go that is beside this module.
 */
final class GoInformer {

	/** Its name among the clients. */
	static final String NAME = "client-go";

	private GoInformer() {
	}

	/**
	 * Builds it.
	 * @param out where the program goes
	 * @return how it is run; empty without Go, which is said then
	 * @throws IOException if it cannot be built
	 * @throws InterruptedException if interrupted
	 */
	static Optional<External> build(Path out) throws IOException, InterruptedException {
		if (!SideProgram.hasGo()) {
			System.out.println("client-go is not measured: there is no 'go' on the path to build it");
			return Optional.empty();
		}
		Path program = SideProgram.go("go-informer", out);
		return Optional.of(new External(NAME,
				"'%s' -kubeconfig '{kubeconfig}' -objects {pods} -resource {resource}".formatted(program)));
	}

	/**
	 * The arguments with which it measures changes.
	 * @param url the server of the harness
	 * @param rate changes a second
	 * @param warmUp how long changes come before they are measured
	 * @param window how long they are measured
	 * @return the arguments
	 */
	static String watching(String url, int rate, Duration warmUp, Duration window) {
		return "-control '%s' -rate %d -warm-up %dms -window %dms".formatted(url, rate, warmUp.toMillis(),
				window.toMillis());
	}

}
