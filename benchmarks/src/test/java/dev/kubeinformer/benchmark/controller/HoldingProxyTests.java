package dev.kubeinformer.benchmark.controller;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

class HoldingProxyTests {

	private static final String CONFIG_MAPS = Children.CONFIG_MAPS.path();

	@TempDir
	private Path directory;

	@Test
	void heldWatchShouldBringNothingUntilItIsReleased() throws Exception {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().namespacesMustExist(false).start();
				HoldingProxy proxy = new HoldingProxy(cluster(api), "configmaps")) {
			Path kubeconfig = this.directory.resolve("proxied");
			proxy.kubeconfig(kubeconfig);
			RawCluster through = new RawCluster(kubeconfig);
			try (Response watch = through.http()
				.newCall(new Request.Builder().url(through.url() + CONFIG_MAPS + "?watch=true").build())
				.execute()) {
				BufferedReader events = new BufferedReader(Objects.requireNonNull(watch.body()).charStream());
				create(through, 1);
				assertThat(events.readLine()).contains(Widgets.name(1));
				proxy.hold();
				create(through, 2);
				CompletableFuture<String> next = CompletableFuture.supplyAsync(() -> line(events));
				// The list shows it, and has come after it.
				assertThat(through.list(CONFIG_MAPS)).hasSize(2);
				assertThat(through.send("GET", CONFIG_MAPS + "/none", RawCluster.JSON, null).code()).isEqualTo(404);
				assertThat(next).isNotDone();
				assertThat(proxy.writes()).isEqualTo(1);
				assertThat(proxy.refusals()).isEqualTo(1);
				proxy.release();
				assertThat(next.get(60, TimeUnit.SECONDS)).contains(Widgets.name(2));
			}
		}
	}

	private RawCluster cluster(EmbeddedKubernetes api) throws IOException {
		Path kubeconfig = this.directory.resolve("direct");
		Files.writeString(kubeconfig, """
				apiVersion: v1
				kind: Config
				current-context: c
				clusters: [{name: c, cluster: {server: '%s'}}]
				users: [{name: c, user: {token: none}}]
				contexts: [{name: c, context: {cluster: c, user: c}}]
				""".formatted(api.url()));
		return new RawCluster(kubeconfig);
	}

	private static void create(RawCluster cluster, int index) throws IOException {
		cluster.require("POST", CONFIG_MAPS, Widgets.configMap(index, "uid"));
	}

	private static String line(BufferedReader events) {
		try {
			return events.readLine();
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

}
