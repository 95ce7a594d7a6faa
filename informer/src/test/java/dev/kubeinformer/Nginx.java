package dev.kubeinformer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The nginx of this machine as a proxy in front of an API server, in one process without
 * rights, in a folder of its own. It has one port for HTTP/1.1 and one for HTTP/2 by
 * prior knowledge.
 */
final class Nginx implements AutoCloseable {

	private static final String CONFIGURATION = """
			daemon off;
			master_process off;
			pid %1$s/pid;
			events {}
			http {
			  access_log off;
			  client_body_temp_path %1$s/body;
			  proxy_temp_path %1$s/proxy;
			  fastcgi_temp_path %1$s/fastcgi;
			  uwsgi_temp_path %1$s/uwsgi;
			  scgi_temp_path %1$s/scgi;
			  server {
			    listen 127.0.0.1:%2$d;
			    listen 127.0.0.1:%3$d http2;
			    location / {
			      proxy_pass %4$s;
			      %5$s
			    }
			  }
			}
			""";

	private final Process process;

	private final int port;

	private final int http2Port;

	private Nginx(Process process, int port, int http2Port) {
		this.process = process;
		this.port = port;
		this.http2Port = http2Port;
	}

	/**
	 * Finds the program.
	 * @return the program; empty if it is not installed
	 */
	static Optional<Path> find() {
		return List
			.of("/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx", "/usr/local/bin/nginx",
					"/opt/homebrew/bin/nginx")
			.stream()
			.map(Path::of)
			.filter(Files::isExecutable)
			.findFirst();
	}

	/**
	 * Starts it.
	 * @param program the program
	 * @param folder the folder for all that it writes
	 * @param api the URL of the API server
	 * @param directives what else the location says
	 * @return the proxy
	 * @throws IOException if it cannot be started
	 */
	static Nginx start(Path program, Path folder, String api, String directives) throws IOException {
		int port = freePort();
		int http2Port = freePort();
		Path configuration = folder.resolve("nginx.conf");
		Files.writeString(configuration, CONFIGURATION.formatted(folder, port, http2Port, api, directives));
		Path log = folder.resolve("error.log");
		Process process = new ProcessBuilder(program.toString(), "-p", folder.toString(), "-c",
				configuration.toString(), "-e", log.toString())
			.redirectErrorStream(true)
			.redirectOutput(folder.resolve("output.log").toFile())
			.start();
		Nginx nginx = new Nginx(process, port, http2Port);
		await().atMost(Duration.ofSeconds(30)).until(() -> !process.isAlive() || (accepts(port) && accepts(http2Port)));
		assertThat(process.isAlive()).as(() -> read(log)).isTrue();
		return nginx;
	}

	private static boolean accepts(int port) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static String read(Path log) {
		try {
			return Files.readString(log);
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	String url() {
		return "http://127.0.0.1:" + this.port;
	}

	String http2Url() {
		return "http://127.0.0.1:" + this.http2Port;
	}

	@Override
	public void close() {
		this.process.destroy();
		await().atMost(Duration.ofSeconds(30)).until(() -> !this.process.isAlive());
	}

}
