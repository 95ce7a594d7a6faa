package dev.kubeinformer.benchmark.custom;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.google.gson.annotations.SerializedName;
import org.jspecify.annotations.Nullable;

/**
 * What a widget asks for. Gson reads it, and so does the Jackson of other clients.
 */
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
	 * Returns how many there should be.
	 * @return the number
	 */
	public @Nullable Integer getReplicas() {
		return this.replicas;
	}

	/**
	 * A process of the application.
	 */
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

	/**
	 * A variable of its environment.
	 */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Variable {

		@SerializedName("name")
		private @Nullable String name;

		@SerializedName("value")
		private @Nullable String value;

	}

	/**
	 * A port that it listens at.
	 */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Port {

		@SerializedName("name")
		private @Nullable String name;

		@SerializedName("port")
		private @Nullable Integer port;

		@SerializedName("protocol")
		private @Nullable String protocol;

	}

	/**
	 * What it needs of a machine.
	 */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Resources {

		@SerializedName("requests")
		private @Nullable Map<String, String> requests;

		@SerializedName("limits")
		private @Nullable Map<String, String> limits;

	}

	/**
	 * How it is asked whether it is well.
	 */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Probe {

		@SerializedName("path")
		private @Nullable String path;

		@SerializedName("port")
		private @Nullable Integer port;

		@SerializedName("periodSeconds")
		private @Nullable Integer periodSeconds;

	}

	/**
	 * Where it is reached.
	 */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Ingress {

		@SerializedName("host")
		private @Nullable String host;

		@SerializedName("path")
		private @Nullable String path;

		@SerializedName("tls")
		private @Nullable Tls tls;

	}

	/**
	 * Its certificate.
	 */
	@JsonAutoDetect(fieldVisibility = Visibility.ANY)
	public static final class Tls {

		@SerializedName("secretName")
		private @Nullable String secretName;

		@SerializedName("issuer")
		private @Nullable String issuer;

	}

	/**
	 * Where its data is.
	 */
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
