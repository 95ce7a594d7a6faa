package dev.kubeinformer.test.internal.http;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;

import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Disables the rate limit of HTTP/2 frames. A release of Jetty 12.1 moved
 * {@code RateControl} to another package. So this class does not import the type, but
 * finds it as the parameter type of a method of Jetty.
 */
final class UnlimitedRate {

	private UnlimitedRate() {
	}

	static void set(AbstractHTTP2ServerConnectionFactory http2) {
		Method setter = Arrays.stream(AbstractHTTP2ServerConnectionFactory.class.getMethods())
			.filter((method) -> method.getName().equals("setRateControlFactory"))
			.findFirst()
			.orElseThrow();
		Class<?> factory = setter.getParameterTypes()[0];
		try {
			setter.invoke(http2,
					Proxy.newProxyInstance(factory.getClassLoader(), new Class<?>[] { factory }, UnlimitedRate::call));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("Jetty does not take '%s'".formatted(factory.getName()), ex);
		}
	}

	// The default method of the factory creates an unlimited rate.
	private static @Nullable Object call(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
		if (method.isDefault()) {
			return InvocationHandler.invokeDefault(proxy, method, arguments);
		}
		return switch (method.getName()) {
			case "equals" -> arguments != null && proxy == arguments[0];
			case "hashCode" -> System.identityHashCode(proxy);
			default -> "unlimited";
		};
	}

}
