package dev.kubeinformer.internal.client.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

import javax.net.ssl.SSLHandshakeException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of certificate authorities that are exchanged while they are used.
 */
class AuthorityTrustTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final HeldCertificate first = TlsServer.authority("first");

	private final HeldCertificate second = TlsServer.authority("second");

	private TlsServer firstServer;

	private TlsServer secondServer;

	private final Logger logger = (Logger) LoggerFactory.getLogger(Authorities.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@TempDir
	private Path folder;

	@BeforeEach
	void start() {
		this.log.start();
		this.logger.setLevel(Level.INFO);
		this.logger.addAppender(this.log);
		this.firstServer = TlsServer.start(TlsServer.signed(this.first, "server", "127.0.0.1"));
		this.secondServer = TlsServer.start(TlsServer.signed(this.second, "server", "127.0.0.1"));
	}

	@AfterEach
	void stop() {
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
		this.firstServer.close();
		this.secondServer.close();
	}

	private static String url(TlsServer server) {
		return "https://127.0.0.1:" + server.port();
	}

	private Content file(Path path) {
		return new Content.InFile("The kubeconfig '/x'", "certificate-authority", path);
	}

	private Path write(String... authorities) throws IOException {
		return Files.writeString(this.folder.resolve("ca.crt"), String.join("", authorities));
	}

	private static void assertRefused(TlsClient client, TlsServer server) {
		assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(() -> client.getAnew(url(server)))
			.withMessageContaining("No trusted authority has signed the certificate");
	}

	private List<String> lines(Level level) {
		return this.log.list.stream()
			.filter((event) -> event.getLevel() == level)
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	@Test
	void fileShouldBeReadAgainWhenTrustIsMissing() throws IOException {
		Path file = write(this.first.certificatePem());
		try (TlsClient client = TlsClient.trusting(file(file), null)) {
			client.getAnew(url(this.firstServer));
			assertRefused(client, this.secondServer);
			write(this.second.certificatePem(), this.first.certificatePem());
			client.getAnew(url(this.secondServer));
			client.getAnew(url(this.firstServer));
			assertThat(lines(Level.INFO)).containsExactly("The kubeconfig '/x' names the file '" + file
					+ "' as 'certificate-authority', which has changed; new connections trust its new content "
					+ "(certificates: 2)");
		}
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "HTTP_1_1", "HTTP_2" })
	void fileShouldBeReadAgainAfterAMinuteAndNoConnectionCut(Protocol protocol) throws IOException {
		Protocol[] protocols = { protocol, Protocol.HTTP_1_1 };
		Path file = write(this.first.certificatePem(), this.second.certificatePem());
		try (TlsClient client = TlsClient.trusting(file(file), null, protocols);
				Response watch = client.watch(url(this.firstServer))) {
			write(this.second.certificatePem());
			// Also the session, which needs no certificate any more.
			client.getAnew(url(this.firstServer));
			client.pass(MINUTE);
			assertRefused(client, this.firstServer);
			client.getAnew(url(this.secondServer));
			assertThat(watch.body().source().readUtf8Line()).isEqualTo("begun");
			assertThat(this.firstServer.seen.get(0).http())
				.isEqualTo((protocol == Protocol.HTTP_2) ? "HTTP/2.0" : "HTTP/1.1");
			assertThat(client.http.connectionPool().connectionCount()).isOne();
		}
	}

	@Test
	void authorityOfAPodShouldBeReadAgainWhenTheKubeletSwapsItsFolder() throws IOException {
		Path mounted = Files.createDirectory(this.folder.resolve("mounted"));
		swap(mounted, "..2026_01", this.first);
		Path file = Files.createSymbolicLink(mounted.resolve("ca.crt"), Path.of("..data/ca.crt"));
		try (TlsClient client = TlsClient.trusting(file(file), null)) {
			client.getAnew(url(this.firstServer));
			swap(mounted, "..2026_02", this.second);
			client.getAnew(url(this.secondServer));
			assertRefused(client, this.firstServer);
			assertThat(lines(Level.INFO)).hasSize(1);
		}
	}

	private static void swap(Path mounted, String name, HeldCertificate authority) throws IOException {
		Path folder = Files.createDirectory(mounted.resolve(name));
		Files.writeString(folder.resolve("ca.crt"), authority.certificatePem());
		Path link = Files.createSymbolicLink(mounted.resolve("..data_tmp"), Path.of(name));
		Files.move(link, mounted.resolve("..data"), StandardCopyOption.ATOMIC_MOVE,
				StandardCopyOption.REPLACE_EXISTING);
	}

	@Test
	void authoritiesShouldStayWhileTheirFileCannotBeRead() throws IOException {
		Path file = write(this.first.certificatePem());
		try (TlsClient client = TlsClient.trusting(file(file), null)) {
			write(this.second.certificatePem().substring(0, 100));
			assertRefused(client, this.secondServer);
			assertRefused(client, this.secondServer);
			client.pass(MINUTE);
			client.getAnew(url(this.firstServer));
			Files.delete(file);
			assertRefused(client, this.secondServer);
			client.getAnew(url(this.firstServer));
			assertThat(lines(Level.WARN))
				.containsExactly("The kubeconfig '/x', field 'certificate-authority', names the " + "file '" + file
						+ "', which holds PEM that is incomplete or broken; trusting the previous certificate "
						+ "authorities until the file can be read again");
			write(this.second.certificatePem());
			client.getAnew(url(this.secondServer));
			assertThat(lines(Level.INFO)).hasSize(1);
			Files.delete(file);
			assertRefused(client, this.firstServer);
			assertThat(lines(Level.WARN)).hasSize(2).last().asString().contains("'" + file + "', which does not exist");
		}
	}

	@Test
	void unchangedCertificatesShouldNotBeReported() throws IOException {
		Path file = write(this.first.certificatePem());
		try (TlsClient client = TlsClient.trusting(file(file), null)) {
			write("# another comment\n", this.first.certificatePem());
			assertRefused(client, this.secondServer);
			assertThat(this.log.list).isEmpty();
		}
	}

	@Test
	void fileThatCannotBeReadShouldStopTheStart() throws IOException {
		assertProblem(file(this.folder.resolve("missing")), "missing', which does not exist");
		assertProblem(file(this.folder), "', which is a directory");
		assertProblem(file(write("")), "ca.crt', which is empty");
		assertProblem(TlsClient.inline("x"), "holds no PEM");
	}

	private static void assertProblem(Content content, String problem) {
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> TlsClient.trusting(content, null))
			.withMessageContaining(problem)
			.withNoCause();
	}

	@Test
	void nothingShouldBeVerifiedIfTheConfigurationSaysSo() throws IOException {
		try (TlsClient client = TlsClient.insecure(null)) {
			client.getAnew(url(this.firstServer));
			client.getAnew("https://other:" + this.secondServer.port());
		}
	}

	@Test
	void authoritiesOfTheJvmShouldCountIfNoneAreNamed() {
		try (TlsClient client = TlsClient.trusting(null, null)) {
			assertThatExceptionOfType(SSLHandshakeException.class)
				.isThrownBy(() -> client.getAnew(url(this.firstServer)))
				.withMessageContaining("unable to find valid certification path");
		}
	}

}
