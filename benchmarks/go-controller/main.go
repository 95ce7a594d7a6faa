// A controller on client-go alone, as sample-controller is written: shared informers, a rate-limiting work queue, and
// workers that apply one ConfigMap for each Widget. There is no client rate limit.
//
// It answers lines of its standard input: "status" by what it has done so far, "report" by the same with the heap that
// is in use after a collection. It ends with its standard input.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	applymeta "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"
)

const manager = "benchmark"

type controller struct {
	client     kubernetes.Interface
	widgets    cache.SharedIndexInformer
	configMaps listers.ConfigMapLister
	queue      workqueue.TypedRateLimitingInterface[cache.ObjectName]
	always     bool
	reconciles atomic.Int64
	failures   atomic.Int64
	writes     atomic.Int64
	lastWrite  atomic.Int64
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "kubeconfig of the cluster")
	workers := flag.Int("workers", 16, "workers")
	always := flag.Bool("always", false, "apply in every run, instead of comparing with the cache first")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	check(err)
	config.QPS = -1
	c, factory := build(config)
	c.always = *always
	ctx := context.Background()
	factory.Start(ctx.Done())
	go c.widgets.Run(ctx.Done())
	go func() {
		factory.WaitForCacheSync(ctx.Done())
		cache.WaitForCacheSync(ctx.Done(), c.widgets.HasSynced)
		for i := 0; i < *workers; i++ {
			go c.work(ctx)
		}
	}()
	c.answer()
}

func build(config *rest.Config) (*controller, informers.SharedInformerFactory) {
	// As controller-runtime does: protobuf for built-in types, JSON for custom ones.
	builtIn := rest.CopyConfig(config)
	builtIn.ContentType = k8sruntime.ContentTypeProtobuf
	builtIn.AcceptContentTypes = k8sruntime.ContentTypeProtobuf + "," + k8sruntime.ContentTypeJSON
	client := kubernetes.NewForConfigOrDie(builtIn)
	c := &controller{client: client, widgets: widgetInformer(config),
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]())}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0,
		informers.WithTransform(stripManagedFields))
	children := factory.Core().V1().ConfigMaps()
	c.configMaps = children.Lister()
	_, err := c.widgets.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: c.enqueue,
		UpdateFunc: func(before, after any) {
			if before.(*Widget).Generation != after.(*Widget).Generation {
				c.enqueue(after)
			}
		},
		DeleteFunc: c.enqueue,
	})
	check(err)
	_, err = children.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueueOwner,
		UpdateFunc: func(_, after any) { c.enqueueOwner(after) },
		DeleteFunc: c.enqueueOwner,
	})
	check(err)
	return c, factory
}

func widgetInformer(config *rest.Config) cache.SharedIndexInformer {
	scheme := k8sruntime.NewScheme()
	check(addWidgets(scheme))
	custom := rest.CopyConfig(config)
	custom.GroupVersion = &widgets
	custom.APIPath = "/apis"
	custom.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.RESTClientFor(custom)
	check(err)
	informer := cache.NewSharedIndexInformer(
		cache.NewListWatchFromClient(client, "widgets", metav1.NamespaceAll, fields.Everything()), &Widget{}, 0, cache.Indexers{})
	check(informer.SetTransform(stripManagedFields))
	return informer
}

// As our caches do, and as is recommended to all who do not read them.
func stripManagedFields(object any) (any, error) {
	if accessor, err := meta.Accessor(object); err == nil {
		accessor.SetManagedFields(nil)
	}
	return object, nil
}

func (c *controller) enqueue(object any) {
	if name, err := cache.DeletionHandlingObjectToName(object); err == nil {
		c.queue.Add(name)
	}
}

func (c *controller) enqueueOwner(object any) {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = gone.Obj
	}
	child, ok := object.(*corev1.ConfigMap)
	if !ok {
		return
	}
	if owner := metav1.GetControllerOf(child); owner != nil && owner.Kind == "Widget" {
		c.queue.Add(cache.ObjectName{Namespace: child.Namespace, Name: owner.Name})
	}
}

func (c *controller) work(ctx context.Context) {
	for {
		name, shutdown := c.queue.Get()
		if shutdown {
			return
		}
		err := c.reconcile(ctx, name)
		c.reconciles.Add(1)
		if err != nil {
			if c.failures.Add(1) <= 5 {
				fmt.Fprintln(os.Stderr, name, err)
			}
			c.queue.AddRateLimited(name)
		} else {
			c.queue.Forget(name)
		}
		c.queue.Done(name)
	}
}

func (c *controller) reconcile(ctx context.Context, name cache.ObjectName) error {
	found, exists, err := c.widgets.GetStore().GetByKey(name.String())
	if err != nil || !exists {
		return err
	}
	widget := found.(*Widget)
	data := map[string]string{"size": strconv.Itoa(int(widget.Spec.Size)), "message": widget.Spec.Message}
	if !c.always {
		now, err := c.configMaps.ConfigMaps(name.Namespace).Get(name.Name)
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		if err == nil && metav1.IsControlledBy(now, widget) && now.Data["size"] == data["size"] &&
			now.Data["message"] == data["message"] {
			return nil
		}
	}
	desired := applycore.ConfigMap(name.Name, name.Namespace).WithLabels(map[string]string{"app": "widget"}).WithData(data).
		WithOwnerReferences(applymeta.OwnerReference().WithAPIVersion(widgets.String()).WithKind("Widget").
			WithName(widget.Name).WithUID(widget.UID).WithController(true).WithBlockOwnerDeletion(true))
	_, err = c.client.CoreV1().ConfigMaps(name.Namespace).Apply(ctx, desired,
		metav1.ApplyOptions{FieldManager: manager, Force: true})
	c.writes.Add(1)
	c.lastWrite.Store(time.Now().UnixMilli())
	return err
}

func (c *controller) answer() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var heap uint64
		if lines.Text() == "report" {
			runtime.GC()
			runtime.GC()
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			heap = memory.HeapAlloc
		}
		fmt.Printf("STATUS {\"reconciles\": %d, \"failures\": %d, \"writes\": %d, \"lastWrite\": %d, \"heap\": %d}\n",
			c.reconciles.Load(), c.failures.Load(), c.writes.Load(), c.lastWrite.Load(), heap)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
