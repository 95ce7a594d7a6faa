package dev.kubeinformer.benchmark.controller;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The same writes without a controller, which shows the time that the server takes with a
 * plain HTTP client.
 */
public final class BareWrites {

	private static final String QUERY = "?fieldManager=benchmark&force=true";

	private final RawCluster cluster;

	private final boolean apply;

	private final int objects;

	private final AtomicInteger next = new AtomicInteger();

	private final Counts counts = new Counts();

	private final String uid = UUID.randomUUID().toString();

	private BareWrites(RawCluster cluster, boolean apply, int objects) {
		this.cluster = cluster;
		this.apply = apply;
		this.objects = objects;
	}

	/**
	 * Runs the program until the standard input ends.
	 * @param arguments the kubeconfig, the number of threads, {@code create} or {@code
	 * apply}, and the number of objects
	 * @throws IOException if the standard input cannot be read
	 */
	public static void main(String... arguments) throws IOException {
		BareWrites writes = new BareWrites(new RawCluster(Path.of(arguments[0])), arguments[2].equals("apply"),
				Integer.parseInt(arguments[3]));
		for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
			Thread thread = new Thread(writes::work, "writer-" + i);
			thread.setDaemon(true);
			thread.start();
		}
		writes.counts.answer();
		System.exit(0);
	}

	private void work() {
		for (int index = this.next.getAndIncrement(); index < this.objects; index = this.next.getAndIncrement()) {
			try {
				write(index);
				this.counts.written();
				this.counts.reconciled();
			}
			catch (IOException ex) {
				ex.printStackTrace();
				System.exit(1);
			}
		}
	}

	private void write(int index) throws IOException {
		String body = Widgets.configMap(index, this.uid);
		RawCluster.Answer answer = this.apply
				? this.cluster.send("PATCH", Children.CONFIG_MAPS.path() + "/" + Widgets.name(index) + QUERY,
						RawCluster.APPLY, body)
				: this.cluster.send("POST", Children.CONFIG_MAPS.path(), RawCluster.JSON, body);
		if (answer.code() >= 300) {
			throw new IOException("HTTP %d %s".formatted(answer.code(), answer.body()));
		}
	}

}
