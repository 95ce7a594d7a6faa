package dev.kubeinformer.benchmark.custom;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.google.gson.annotations.SerializedName;
import org.jspecify.annotations.Nullable;

/** Desired state of a widget. Both Gson and the Jackson of other clients read it. */
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
public final class WidgetSpec {

	@SerializedName("application")
	private @Nullable String application;

	@SerializedName("version")
	private @Nullable String version;

	@SerializedName("replicas")
	private @Nullable Integer replicas;

	@SerializedName("paused")
	private @Nullable Boolean paused;

	@SerializedName("components")
	private @Nullable List<Component> components;

	@SerializedName("settings")
	private @Nullable Map<String, String> settings;

	@SerializedName("ingress")
	private @Nullable Ingress ingress;

	@SerializedName("storage")
	private @Nullable Storage storage;

	@SerializedName("nodeSelector")
	private @Nullable Map<String, String> nodeSelector;

	/**
	 * Returns the number of replicas.
	 * @return the number
	 */
	public @Nullable Integer getReplicas() {
		return this.replicas;
	}

	/** Process of the application. */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Component {

		@SerializedName("name")
		private @Nullable String name;

		@SerializedName("image")
		private @Nullable String image;

		@SerializedName("args")
		private @Nullable List<String> args;

		@SerializedName("env")
		private @Nullable List<Variable> env;

		@SerializedName("ports")
		private @Nullable List<Port> ports;

		@SerializedName("resources")
		private @Nullable Resources resources;

		@SerializedName("probe")
		private @Nullable Probe probe;

	}

	/** Environment variable of the process. */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Variable {

		@SerializedName("name")
		private @Nullable String name;

		@SerializedName("value")
		private @Nullable String value;

	}

	/** Port on which the process listens. */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Port {

		@SerializedName("name")
		private @Nullable String name;

		@SerializedName("port")
		private @Nullable Integer port;

		@SerializedName("protocol")
		private @Nullable String protocol;

	}

	/** Resources that the process needs. */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Resources {

		@SerializedName("requests")
		private @Nullable Map<String, String> requests;

		@SerializedName("limits")
		private @Nullable Map<String, String> limits;

	}

	/** Health check of the process. */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Probe {

		@SerializedName("path")
		private @Nullable String path;

		@SerializedName("port")
		private @Nullable Integer port;

		@SerializedName("periodSeconds")
		private @Nullable Integer periodSeconds;

	}

	/** Address of the application. */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Ingress {

		@SerializedName("host")
		private @Nullable String host;

		@SerializedName("path")
		private @Nullable String path;

		@SerializedName("tls")
		private @Nullable Tls tls;

	}

	/** Certificate of the application. */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Tls {

		@SerializedName("secretName")
		private @Nullable String secretName;

		@SerializedName("issuer")
		private @Nullable String issuer;

	}

	/** Data of the application. */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Storage {

		@SerializedName("className")
		private @Nullable String className;

		@SerializedName("size")
		private @Nullable String size;

		@SerializedName("bytes")
		private @Nullable Long bytes;

	}

}
