package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The client-go program in a directory of this module. */
final class GoInformer {

	/** Name among the clients. */
	static final String NAME = "client-go";

	private GoInformer() {
	}

	/**
	 * Builds the program.
	 * @param out the directory of the program
	 * @return the program; empty without Go, which is then reported
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
	 * Returns the arguments for measuring changes.
	 * @param url the server of the harness
	 * @param rate the number of changes a second
	 * @param warmUp the time during which changes are not measured yet
	 * @param window the time during which changes are measured
	 * @return the arguments
	 */
	static String watching(String url, int rate, Duration warmUp, Duration window) {
		return "-control '%s' -rate %d -warm-up %dms -window %dms".formatted(url, rate, warmUp.toMillis(),
				window.toMillis());
	}

}
