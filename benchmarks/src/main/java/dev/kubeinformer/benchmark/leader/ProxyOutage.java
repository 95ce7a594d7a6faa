package dev.kubeinformer.benchmark.leader;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kubernetes.client.util.Config;

import dev.kubeinformer.test.FaultProxy;

/** Outage that cuts and refuses connections to an API server on this machine. */
class ProxyOutage implements Outage {

	private final FaultProxy proxy;

	private final Path kubeconfig;

	ProxyOutage(Path kubeconfig) throws IOException {
		URI server = URI.create(Config.fromConfig(Files.newBufferedReader(kubeconfig)).getBasePath());
		this.proxy = FaultProxy.to(server.getHost(), server.getPort());
		this.kubeconfig = Files.createTempFile("replicas", ".yaml");
		Files.writeString(this.kubeconfig, Files.readString(kubeconfig)
			.replace("%s:%d".formatted(server.getHost(), server.getPort()), "127.0.0.1:" + this.proxy.port()));
	}

	@Override
	public Path kubeconfig() {
		return this.kubeconfig;
	}

	@Override
	public void begin() {
		this.proxy.refuse();
		this.proxy.dropConnections();
	}

	@Override
	public void end() {
		this.proxy.restore();
	}

	@Override
	public void close() throws IOException {
		this.proxy.close();
		Files.delete(this.kubeconfig);
	}

}
